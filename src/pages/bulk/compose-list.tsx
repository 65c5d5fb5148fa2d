import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Clipboard } from '../../components/copy-button.tsx';
import { UntrustedText } from '../../components/url-and-title.tsx';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { estimateMessage, notShortenableMessage, statusInList } from '../../format/status-text.ts';
import type { QuotaLeft } from '../../queue/status/request-status.ts';
import type { Link } from '../../queue/types.ts';
import type { CostPreview } from './cost-preview.ts';
import { type Entry, type Invalid, MAX_URLS } from './list-model.ts';
import { SourceButtons } from './source-buttons.tsx';
import { UrlRows } from './url-rows.tsx';
import type { BulkActions } from './use-bulk-actions.ts';

/** Lines shown one by one: the others are copied with them. */
const SHOWN = 100;

interface InvalidLinesProps {
  invalid: Invalid[];
  clipboard: Clipboard;
  remove: () => void;
}

/** What cannot be sent, as it stood in the list, and why. It stays until the person removes it or leaves the page. */
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
  /** Live links of the chosen connection, by their address. */
  known: Map<string, Link>;
  /** Addresses that wait in its queue already. */
  waiting: ReadonlySet<string>;
  /** Null while it is being worked out. */
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

/** A list is put together, thinned, and sent. */
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

/** What sending the list costs, when it is done, and the button: it stays in view however long the list is. */
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

/** When the list is sent, or what keeps it from that: the same as the page of the queue says of it then. */
function sentSentence({ sends, ids, wait }: CostPreview, now: number): string {
  return wait ? statusInList(wait, null, now) : estimateMessage(sends, ids, now);
}

function costSentence(chosen: number, plan: CostPreview | null, { left }: QuotaLeft): string {
  if (chosen === 0) return t('manyNothingChosen');
  // A character without ink keeps the place of the sentence.
  if (!plan) return '\u00A0';
  const { cost } = plan;
  // One request is no part of none. Of several it is said how many, and the line below says when.
  if (cost === 1 && left === 0) return t('wait_quota');
  return cost === 0 ? t('manyFree') : plural('manyCost', cost, formatNumber(left));
}
