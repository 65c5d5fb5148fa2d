import { useLayoutEffect, useRef } from 'preact/hooks';
import type { QuotaLeft } from '../queue/request-status.ts';
import type { Link } from '../queue/types.ts';
import type { Clipboard } from '../ui/copy.tsx';
import { estimateSentence } from '../ui/estimate-sentence.ts';
import { statusInList } from '../ui/sentences.ts';
import { number, plural, t } from '../ui/strings.ts';
import { AddressRows } from './address-rows.tsx';
import { type Entry, type Invalid, MOST_ADDRESSES } from './entries.ts';
import type { ManyHandlers } from './handlers.ts';
import { InvalidLines } from './invalid-lines.tsx';
import type { Plan } from './plan.ts';
import { Sources } from './sources.tsx';

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
  plan: Plan | null;
  quota: QuotaLeft;
  now: number;
  sending: boolean;
  selectedTabs: number;
  hasSelection: boolean;
  clipboard: Clipboard;
  choose: (ids: string[], isChosen: boolean) => void;
  clear: () => void;
  removeInvalid: () => void;
  handlers: ManyHandlers;
}

/** A list is put together, thinned, and sent. */
export function Compose(props: ComposeProps) {
  const { entries, invalid, chosen, unchosen, known, waiting, clipboard, choose, clear, handlers } = props;
  return (
    <>
      <Sources selectedTabs={props.selectedTabs} hasSelection={props.hasSelection} handlers={handlers} />
      <InvalidLines invalid={invalid} clipboard={clipboard} remove={props.removeInvalid} />
      <section class="card list" aria-labelledby="list-title">
        <div class="list-head">
          {entries.length > 0 && <AllBox entries={entries} chosen={chosen} choose={choose} />}
          <h2 id="list-title">{t('manyList')}</h2>
          <span class="help">
            {entries.length > 0 && t('manyChosen', number(chosen.length), number(entries.length))}
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
          <AddressRows {...{ entries, unchosen, known, waiting, choose }} />
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
  const isTooMany = chosen.length > MOST_ADDRESSES;
  const count = Math.min(chosen.length, MOST_ADDRESSES);
  return (
    <div class="send-bar">
      <div class="send-text">
        <p>{costSentence(chosen.length, plan, quota)}</p>
        <p class="help">{isTooMany ? t('manyTooMany', number(MOST_ADDRESSES)) : plan && sentSentence(plan, now)}</p>
      </div>
      <button type="button" class="button is-primary" disabled={count === 0 || sending} onClick={handlers.send}>
        {plural('manySend', count)}
      </button>
    </div>
  );
}

/** When the list is sent, or what keeps it from that: the same as the page of the queue says of it then. */
function sentSentence({ sends, ids, wait }: Plan, now: number): string {
  return wait ? statusInList(wait, null, now) : estimateSentence(sends, ids, now);
}

function costSentence(chosen: number, plan: Plan | null, { left }: QuotaLeft): string {
  if (chosen === 0) return t('manyNothingChosen');
  // A character without ink keeps the place of the sentence.
  if (!plan) return '\u00A0';
  const { cost } = plan;
  // One request is no part of none. Of several it is said how many, and the line below says when.
  if (cost === 1 && left === 0) return t('wait_quota');
  return cost === 0 ? t('manyFree') : plural('manyCost', cost, number(left));
}
