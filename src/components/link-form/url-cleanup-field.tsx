import { useState } from 'preact/hooks';
import { type CanonicalResult, readCanonical } from '../../browser/read-page.ts';
import { displayText } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { removeTextFragment, withoutTracking } from '../../urls/remove-tracking.ts';
import { type IsOwnShortUrl, pageTarget } from '../../urls/shortenable-url.ts';
import { applyUrlDefaults, type UrlDefaults } from '../../urls/url-defaults.ts';

/** The user's choices for cleaning up the URL before it is sent. */
export interface AddressChoice extends UrlDefaults {
  /** The page's canonical URL if the user chose it, otherwise null. */
  canonical: string | null;
}

interface AddressFieldsProps {
  /** URL of the page or link, unchanged. */
  url: string;
  /** Tab that shows the URL; undefined if no tab does. */
  tabId: number | undefined;
  choice: AddressChoice;
  isOwn: IsOwnShortUrl;
  choose: (choice: AddressChoice) => void;
}

/** Returns the URL to send, cleaned up as the user chose. */
export function chosenAddress(url: string, { canonical, ...removed }: AddressChoice): string {
  return applyUrlDefaults(canonical ?? url, removed);
}

/** Shows the URL that will be sent, and the choices for cleaning it up. Every change is visible. */
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
