import { useRef, useState } from 'preact/hooks';
import { type CanonicalResult, readCanonical } from '../../browser/read-page.ts';
import { displayText } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { removeTextFragment, withoutTracking } from '../../urls/remove-tracking.ts';
import { type IsOwnShortUrl, pageTarget } from '../../urls/shortenable-url-rules.ts';
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
  /** Updates the choice. The function receives the current choice, because the `choice` property may be outdated. */
  choose: (change: (before: AddressChoice) => AddressChoice) => void;
}

/** Returns the URL to send, cleaned up as the user chose. */
export function chosenAddress(url: string, { canonical, ...removed }: AddressChoice): string {
  return applyUrlDefaults(canonical ?? url, removed);
}

/** Shows the URL that will be sent, and the options for cleaning it up. */
export function AddressFields({ url, tabId, choice, isOwn, choose }: AddressFieldsProps) {
  const [problem, setProblem] = useState('');
  const [isReading, setReading] = useState(false);
  /**
   * Sequence number of the last click on the checkbox for the canonical URL. Results of earlier clicks are ignored.
   */
  const latest = useRef(0);
  const address = choice.canonical ?? url;
  const change = (some: Partial<AddressChoice>) => choose((before) => ({ ...before, ...some }));
  const useCanonical = async (isOn: boolean) => {
    latest.current += 1;
    const click = latest.current;
    setProblem('');
    setReading(isOn);
    if (!isOn) return change({ canonical: null });
    const result = canonicalOf(await readCanonical(tabId, url), url, isOwn);
    if (click !== latest.current) return;
    setReading(false);
    if ('problem' in result) setProblem(result.problem);
    else change({ canonical: result.url });
  };

  return (
    <div class="field">
      <h3>{t('longUrl')}</h3>
      <p class="form-address">
        <bdi dir="ltr">{displayText(chosenAddress(url, choice))}</bdi>
      </p>
      {withoutTracking(address).removed.length > 0 && (
        <Check
          label={t('removeTracking')}
          on={choice.removeTracking}
          set={(removeTracking) => change({ removeTracking })}
        />
      )}
      {removeTextFragment(address) !== null && (
        <Check
          label={t('dropTextFragment')}
          on={choice.dropTextFragment}
          set={(dropTextFragment) => change({ dropTextFragment })}
        />
      )}
      {tabId !== undefined && (
        <Check
          label={t('canonicalFind')}
          on={isReading || choice.canonical !== null}
          set={(isOn) => void useCanonical(isOn)}
        />
      )}
      <p class="help" role="status">
        {problem}
      </p>
    </div>
  );
}

function canonicalOf(found: CanonicalResult, url: string, isOwn: IsOwnShortUrl): { url: string } | { problem: string } {
  if (found === 'none') return { problem: t('canonicalNone') };
  if (found === 'unreadable') return { problem: t('canonicalUnreadable') };
  const target = pageTarget(found.url, isOwn);
  if ('blocked' in target) return { problem: notShortenableMessage(target.blocked) };
  return target.url === url ? { problem: t('canonicalSame') } : { url: target.url };
}

function Check({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={on} onClick={(event) => set(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
