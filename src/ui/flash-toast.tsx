import { useRef } from 'preact/hooks';
import { IconButton } from './icon-button.tsx';
import { Icon } from './icons.tsx';
import { t } from './strings.ts';
import type { FlashMessage } from './use-flash.ts';

/** Error message over the page. Dismissing it returns the focus to the previous control. It also goes with the next success. */
export function FlashToast({ flash, dismiss }: { flash: FlashMessage; dismiss: () => void }) {
  const before = useRef<EventTarget | null>(null);
  const close = () => {
    if (before.current instanceof HTMLElement) before.current.focus();
    dismiss();
  };
  return (
    <div
      class="toast is-danger"
      onFocusIn={({ relatedTarget }) => {
        before.current = relatedTarget;
      }}
    >
      <Icon name="warning" />
      <p>
        {flash.text}{' '}
        {flash.url && (
          <bdi dir="ltr" class="whole">
            {flash.url}
          </bdi>
        )}
      </p>
      <IconButton icon="close" name={t('dismiss')} press={close} />
    </div>
  );
}
