import { IconButton } from './icon-button.tsx';
import { Icon } from './icons.tsx';
import { t } from './strings.ts';
import type { FlashMessage } from './use-flash.ts';

/** What went wrong. It stays until it is dismissed, or the next thing goes well. */
export function FlashToast({ flash, dismiss }: { flash: FlashMessage; dismiss: () => void }) {
  return (
    <div class="toast is-danger">
      <Icon name="warning" />
      <p>
        {flash.text}{' '}
        {flash.url && (
          <bdi dir="ltr" class="whole">
            {flash.url}
          </bdi>
        )}
      </p>
      <IconButton icon="close" name={t('dismiss')} press={dismiss} />
    </div>
  );
}
