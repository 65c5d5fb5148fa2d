import { useState } from 'preact/hooks';
import { type CanonicalResult, readCanonical } from '../../browser/read-page.ts';
import { displayText } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { removeTextFragment, withoutTracking } from '../../urls/remove-tracking.ts';
import { type IsOwnShortUrl, pageTarget } from '../../urls/shortenable-url.ts';
import { applyUrlDefaults, type UrlDefaults } from '../../urls/url-defaults.ts';

/** The address of the target, and what is done to it before it goes out. */
export interface AddressChoice extends UrlDefaults {
  /** The page's own address was taken instead. */
  canonical: string | null;
}

interface AddressFieldsProps {
  /** As the target has it. */
  url: string;
  /** The tab that shows it; undefined where it is no page's. */
  tabId: number | undefined;
  choice: AddressChoice;
  isOwn: IsOwnShortUrl;
  choose: (choice: AddressChoice) => void;
}

/** The address that goes out by what was chosen. */
export function chosenAddress(url: string, { canonical, ...removed }: AddressChoice): string {
  return applyUrlDefaults(canonical ?? url, removed);
}

/** Shows the address as it will go out, and what can be changed about it. Nothing is changed that is not shown. */
export function AddressFields({ url, tabId, choice, isOwn, choose }: AddressFieldsProps) {
  const [found, setFound] = useState<CanonicalResult | null>(null);
  const address = choice.canonical ?? url;
  const { removed } = withoutTracking(address);
  const look = () => void readCanonical(tabId, url).then(setFound);
  const named = found !== null && typeof found === 'object' ? pageTarget(found.url, isOwn) : null;

  return (
    <div class="field">
      <p class="form-address">
        <span class="visually-hidden">{t('longUrl')} </span>
        <bdi dir="ltr">{displayText(chosenAddress(url, choice))}</bdi>
      </p>
      {removed.length > 0 && (
        <Check
          label={t('removeTrackingNamed', removed.map(displayText).join(', '))}
          on={choice.removeTracking}
          set={(removeTracking) => choose({ ...choice, removeTracking })}
        />
      )}
      {removeTextFragment(address) !== null && (
        <Check
          label={t('keepTextFragment')}
          on={!choice.dropTextFragment}
          set={(keep) => choose({ ...choice, dropTextFragment: !keep })}
        />
      )}
      {choice.canonical !== null ? (
        <button type="button" class="text-button" onClick={() => choose({ ...choice, canonical: null })}>
          {t('canonicalUndo')}
        </button>
      ) : (
        tabId !== undefined && (
          <button type="button" class="text-button" onClick={look}>
            {t('canonicalFind')}
          </button>
        )
      )}
      <div role="status">
        {choice.canonical === null && found === 'none' && <p class="help">{t('canonicalNone')}</p>}
        {choice.canonical === null && found === 'unreadable' && <p class="help">{t('canonicalUnreadable')}</p>}
        {choice.canonical === null && named && 'blocked' in named && (
          <p class="help">{notShortenableMessage(named.blocked)}</p>
        )}
        {choice.canonical === null && named && 'url' in named && (
          <p class="help">
            {named.url === url ? (
              t('canonicalSame')
            ) : (
              <>
                <bdi class="form-address" dir="ltr">
                  {displayText(named.url)}
                </bdi>{' '}
                <button type="button" class="text-button" onClick={() => choose({ ...choice, canonical: named.url })}>
                  {t('canonicalUse')}
                </button>
              </>
            )}
          </p>
        )}
      </div>
    </div>
  );
}

function Check({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
