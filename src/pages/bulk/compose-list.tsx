import { useAutofocus } from '../../components/hooks/use-autofocus.ts';
import { Icon } from '../../components/icons.tsx';
import { AllBox } from '../../components/select-all-checkbox.tsx';
import { UntrustedText } from '../../components/url-and-title.tsx';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { estimateMessage, notShortenableMessage, statusInList } from '../../format/status-text.ts';
import { isUnlimited } from '../../queue/limits.ts';
import type { QuotaLeft } from '../../queue/status/request-status.ts';
import type { Link } from '../../queue/types.ts';
import { type Entry, type Invalid, MAX_URLS } from './list-model.ts';
import type { CostPreview } from './quota-preview.ts';
import { SourceField } from './source-field.tsx';
import { UrlRows } from './url-rows.tsx';
import type { BulkActions } from './use-bulk-actions.ts';

/** Maximum number of invalid lines that the page lists. The Edit button puts all invalid lines back into the field. */
const SHOWN = 100;

interface InvalidLinesProps {
  invalid: Invalid[];
  /** Puts the invalid lines back into the input field. */
  edit: () => void;
  remove: () => void;
}

/**
 * Lines that cannot be sent, with the reasons. The lines stay until the user edits or removes them, or leaves the
 * page.
 */
export function InvalidLines({ invalid, edit, remove }: InvalidLinesProps) {
  if (invalid.length === 0) return null;
  return (
    <section class="invalid" aria-labelledby="invalid-title">
      <Icon name="warning" />
      <div>
        <h2 id="invalid-title">{plural('manyInvalid', invalid.length)}</h2>
        <ul>
          {invalid.slice(0, SHOWN).map(({ id, text, reason }) => (
            <li key={id} class="invalid-line">
              <UntrustedText class="line" text={text} />
              <span>{notShortenableMessage(reason)}</span>
            </li>
          ))}
        </ul>
        {invalid.length > SHOWN && <p>{plural('manyInvalidMore', invalid.length - SHOWN)}</p>}
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={edit}>
          {t('edit')}
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
  /** Links of the chosen connection that can be reused, by URL. */
  known: Map<string, Link>;
  /** True if the links of the chosen connection are not known yet. */
  isListMissing: boolean;
  /** URLs that are already in the connection's queue. */
  waiting: ReadonlySet<string>;
  /** Null until the cost preview is computed. */
  plan: CostPreview | null;
  quota: QuotaLeft;
  now: number;
  sending: boolean;
  selectedTabs: number;
  hasSelection: boolean;
  /** Text in the input field for URLs. */
  text: string;
  setText: (text: string) => void;
  choose: (ids: string[], isChosen: boolean) => void;
  clear: () => void;
  removeInvalid: () => void;
  handlers: BulkActions;
}

/** Form in which the user composes a list and sends it. */
export function Compose(props: ComposeProps) {
  const { entries, invalid, chosen, known, waiting, text, setText, choose, clear, removeInvalid, handlers } = props;
  const field = useAutofocus<HTMLTextAreaElement>();
  const edit = () => {
    setText([text, ...invalid.map((one) => one.text)].filter(Boolean).join('\n'));
    removeInvalid();
    field.current?.focus();
  };
  const { selectedTabs, hasSelection } = props;
  return (
    <>
      <SourceField {...{ field, text, setText, selectedTabs, hasSelection, handlers }} />
      {entries.length === 0 && <p class="help">{t('manyPasteHelp')}</p>}
      {props.isListMissing && entries.length > 0 && <p class="help">{t('linksNotLoaded')}</p>}
      <InvalidLines invalid={invalid} edit={edit} remove={removeInvalid} />
      {entries.length > 0 && (
        <section class="card list" aria-labelledby="list-title">
          <div class="list-head">
            <AllBox
              label={t('manyAll')}
              total={entries.length}
              selected={chosen.length}
              set={(isChosen) =>
                choose(
                  entries.map(({ id }) => id),
                  isChosen,
                )
              }
            />
            <h2 id="list-title">{plural('manyChosen', entries.length, formatNumber(chosen.length))}</h2>
            <button type="button" class="button is-quiet" onClick={clear}>
              {t('manyClear')}
            </button>
          </div>
          <UrlRows {...{ entries, chosen, known, waiting, choose }} />
        </section>
      )}
      {entries.length > 0 && <SendDock {...props} />}
    </>
  );
}

/**
 * Bar with the send button. It shows how much of the quota the list uses and when the URLs will be sent. The bar
 * stays visible even if the list is long.
 */
function SendDock({ chosen, plan, quota, now, sending, handlers }: ComposeProps) {
  const isTooMany = chosen.length > MAX_URLS;
  const count = Math.min(chosen.length, MAX_URLS);
  return (
    <div class="dock">
      <div class="dock-row">
        <div class="dock-text">
          <p>{costSentence(chosen.length, plan, quota)}</p>
          <p class="help">{isTooMany ? t('manyTooMany', formatNumber(MAX_URLS)) : plan && sentSentence(plan, now)}</p>
        </div>
        <button type="button" class="button is-primary" disabled={count === 0 || sending} onClick={handlers.send}>
          {plural('manySend', count)}
        </button>
      </div>
    </div>
  );
}

/**
 * Returns a message about when the list will be sent, or why it cannot be sent. The queue page shows the same message
 * for a list that is waiting.
 */
function sentSentence({ sends, ids, wait }: CostPreview, now: number): string {
  return wait ? statusInList(wait, null, now) : estimateMessage(sends, ids, now);
}

function costSentence(chosen: number, plan: CostPreview | null, { left, limit }: QuotaLeft): string {
  if (chosen === 0) return t('manyNothingChosen');
  // A no-break space keeps the height of the line.
  if (!plan) return '\u00A0';
  const { cost } = plan;
  if (cost === 1 && left === 0) return t('wait_quota');
  if (cost === 0) return t('manyFree');
  if (isUnlimited(limit)) return '\u00A0';
  return plural(cost > left ? 'manyCostOver' : 'manyCost', cost, formatNumber(left));
}
