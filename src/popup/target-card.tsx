import { shownText } from '../platform/text.ts';
import { Address } from '../ui/address.tsx';
import { shown } from '../ui/addresses.ts';
import { ForeignText } from '../ui/foreign-text.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/strings.ts';
import type { CurrentTarget } from './current-target.ts';

/** What is to be shortened: title and address, or another URL with the way back to the page. */
export function TargetCard({ target, leave }: { target: CurrentTarget; leave: () => void }) {
  const { title, isOther, userInfoRemoved } = target;
  const url = target.url ?? '';
  const initial = [...shown(url).host.replace(/^www\./, '')][0];
  return (
    <div class="target">
      <span class="tile" aria-hidden="true">
        {initial ? initial.toUpperCase() : <Icon name="globe" />}
      </span>
      <div class="target-text">
        <h2 class="target-title">
          {shownText(title) ? (
            <ForeignText class="line" text={title} />
          ) : (
            <span class="line">{t(isOther ? 'typedUrl' : 'untitled')}</span>
          )}
        </h2>
        <p class="target-url">
          <Address url={url} />
        </p>
        {userInfoRemoved && <p class="target-note">{t('userInfoRemoved')}</p>}
      </div>
      {isOther && <IconButton icon="close" name={t('backToPage')} press={leave} />}
    </div>
  );
}
