import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Clipboard } from '../../components/copy-button.tsx';
import { UntrustedText } from '../../components/url-and-title.tsx';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { estimateMessage, notShortenableMessage, statusInList } from '../../format/status-text.ts';
import { isUnlimited } from '../../queue/limits/own-limits.ts';
import type { QuotaLeft } from '../../queue/status/request-status.ts';
import type { Link } from '../../queue/types.ts';
import type { CostPreview } from './cost-preview.ts';
import { type Entry, type Invalid, MAX_URLS } from './list-model.ts';
import { SourceButtons } from './source-buttons.tsx';
import { UrlRows } from './url-rows.tsx';
import type { BulkActions } from './use-bulk-actions.ts';

/** Maximum number of invalid lines shown. The button copies all of them. */
const SHOWN = 100;

interface InvalidLinesProps {
  invalid: Invalid[];
  clipboard: Clipboard;
  remove: () => void;
}

/** Lines that cannot be sent, and the reasons. They stay until the user removes them or leaves the page. */
export function InvalidLines({ invalid, clipboard, remove }: InvalidLinesProps) {
  if (invalid.length === 0) return null;
  return (
    <section class="card invalid" aria-labelledby="invalid-title">
      <h2 id="invalid-title">{plural('manyInvalid', invalid.length)}</h2>
      <ul>
        {invalid.slice(0, SHOWN).map(({ id, text, reason }) => (
          <li key={id} class="invalid-line">
            <UntrustedText class="line" text={text} />
            <span class="problem">{notShortenableMessage(reason)}</span>
          </li>
        ))}
      </ul>
      {invalid.length > SHOWN && <p class="help">{plural('manyInvalidMore', invalid.length - SHOWN)}</p>}
      <div class="actions">
        <button type="button" class="button" onClick={() => clipboard.copy(invalid.map(({ text }) => text).join('\n'))}>
          {t('manyInvalidCopy')}
        </button>
        <button type="button" class="button" onClick={remove}>
          {t('manyInvalidRemove')}
        </button>
      </div>
    </section>
  );
}

export interface ComposeProps {
  entries: Entry[];
  invalid: Invalid[];
  chosen: Entry[];
  unchosen: ReadonlySet<string>;
  /** Links of the chosen connection that are not expired or deleted, by URL. */
  known: Map<string, Link>;
  /** URLs that are already in the connection's queue. */
  waiting: ReadonlySet<string>;
  /** Null until the plan is computed. */
  plan: CostPreview | null;
  quota: QuotaLeft;
  now: number;
  sending: boolean;
  selectedTabs: number;
  hasSelection: boolean;
  clipboard: Clipboard;
  choose: (ids: string[], isChosen: boolean) => void;
  clear: () => void;
  removeInvalid: () => void;
  handlers: BulkActions;
}

/** Form in which the user composes a list and sends it. */
export function Compose(props: ComposeProps) {
  const { entries, invalid, chosen, unchosen, known, waiting, clipboard, choose, clear, handlers } = props;
  return (
    <>
      <SourceButtons selectedTabs={props.selectedTabs} hasSelection={props.hasSelection} handlers={handlers} />
      <InvalidLines invalid={invalid} clipboard={clipboard} remove={props.removeInvalid} />
      <section class="card list" aria-labelledby="list-title">
        <div class="list-head">
          {entries.length > 0 && <AllBox entries={entries} chosen={chosen} choose={choose} />}
          <h2 id="list-title">{t('manyList')}</h2>
          <span class="help">
            {entries.length > 0 && t('manyChosen', formatNumber(chosen.length), formatNumber(entries.length))}
          </span>
          {entries.length > 0 && (
            <button type="button" class="button is-quiet list-end" onClick={clear}>
              {t('manyClear')}
            </button>
          )}
        </div>
        {entries.length === 0 ? (
          <p class="empty">{t('manyEmpty')}</p>
        ) : (
          <UrlRows {...{ entries, unchosen, known, waiting, choose }} />
        )}
      </section>
      {entries.length > 0 && <SendBar {...props} />}
    </>
  );
}

interface AllBoxProps {
  entries: Entry[];
  chosen: Entry[];
  choose: (ids: string[], isChosen: boolean) => void;
}

function AllBox({ entries, chosen, choose }: AllBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const isSome = chosen.length > 0 && chosen.length < entries.length;
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={t('manyAll')}
      checked={chosen.length === entries.length}
      onChange={() =>
        choose(
          entries.map(({ id }) => id),
          chosen.length < entries.length,
        )
      }
    />
  );
}

/**
 * Shows what the list uses of the quota and when it is done, with the send button. It stays in view however long the
 * list is.
 */
function SendBar({ chosen, plan, quota, now, sending, handlers }: ComposeProps) {
  const isTooMany = chosen.length > MAX_URLS;
  const count = Math.min(chosen.length, MAX_URLS);
  return (
    <div class="send-bar">
      <div class="send-text">
        <p>{costSentence(chosen.length, plan, quota)}</p>
        <p class="help">{isTooMany ? t('manyTooMany', formatNumber(MAX_URLS)) : plan && sentSentence(plan, now)}</p>
      </div>
      <button type="button" class="button is-primary" disabled={count === 0 || sending} onClick={handlers.send}>
        {plural('manySend', count)}
      </button>
    </div>
  );
}

/** Returns when the list will be sent, or why it cannot be. The queue page will show the same message. */
function sentSentence({ sends, ids, wait }: CostPreview, now: number): string {
  return wait ? statusInList(wait, null, now) : estimateMessage(sends, ids, now);
}

function costSentence(chosen: number, plan: CostPreview | null, { left, limit }: QuotaLeft): string {
  if (chosen === 0) return t('manyNothingChosen');
  // A space without width but with height, so that the line keeps its place.
  if (!plan) return '\u00A0';
  const { cost } = plan;
  // A single request needs no numbers. For several, the first line says how many and the second says when.
  if (cost === 1 && left === 0) return t('wait_quota');
  if (cost === 0) return t('manyFree');
  return isUnlimited(limit) ? '\u00A0' : plural('manyCost', cost, formatNumber(left));
}
