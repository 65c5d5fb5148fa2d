import type { RefObject } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { Icon } from '../../components/icons.tsx';
import { useShowMore } from '../../components/long-list.tsx';
import { Address, UntrustedText } from '../../components/url-and-title.tsx';
import { displayUrl } from '../../format/display-text.ts';
import { plural, t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import type { Link } from '../../queue/types.ts';
import type { BulkStore } from './bulk-store.ts';
import type { Entry } from './list-model.ts';

/** Maximum number of invalid lines that the page lists. The Edit button puts all invalid lines back into the field. */
const SHOWN = 100;

interface InvalidLinesProps {
  field: RefObject<HTMLTextAreaElement | null>;
  store: BulkStore;
}

/** Lines that cannot be sent, with the reasons. They stay until the user edits or removes them. */
export function InvalidLines({ field, store: { list, editInvalid, removeInvalid } }: InvalidLinesProps) {
  const { invalid } = list.value;
  if (invalid.length === 0) return null;
  const edit = () => {
    editInvalid();
    field.current?.focus();
  };
  return (
    <section class="notice is-warning invalid" aria-labelledby="invalid-title">
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
        <button type="button" class="button" onClick={removeInvalid}>
          {t('manyInvalidRemove')}
        </button>
      </div>
    </section>
  );
}

/** The URLs of the list, each with a checkbox. */
export function UrlRows({ store: { list, selected, known, waiting, choose } }: { store: BulkStore }) {
  const rows = useRef<HTMLUListElement>(null);
  const selectedIds = useMemo(() => new Set(selected.value.map(({ id }) => id)), [selected.value]);
  const { shown, more } = useShowMore(list.value.entries, rows, '.row');
  return (
    <>
      <ul ref={rows} class="rows">
        {shown.map((entry) => {
          const { id, url, title } = entry;
          const link = known.value.get(url);
          const isWaiting = waiting.value.has(url);
          const notes = notesOf(entry, link, isWaiting);
          const isChosen = selectedIds.has(id);
          return (
            <li key={id} class="row">
              <label class={`row-label ${link || isWaiting || !isChosen ? 'is-soft' : ''}`}>
                <input
                  type="checkbox"
                  checked={isChosen}
                  onChange={(event) => choose([id], event.currentTarget.checked)}
                />
                <span class="row-text">
                  {title && <UntrustedText class="line" text={title} hover={url} />}
                  <Address url={url} />
                </span>
              </label>
              {notes.length > 0 && (
                <span class="row-note">
                  {notes.map((note) => (
                    <bdi key={note}>{note}</bdi>
                  ))}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {more}
    </>
  );
}

/** Returns notes that the user should see about an entry before it is sent. */
function notesOf({ userInfoRemoved }: Entry, link: Link | undefined, isWaiting: boolean): string[] {
  const shortUrl = link && displayUrl(link.shortUrl);
  return [
    shortUrl ? t('manyKnown', shortUrl.host + shortUrl.rest) : isWaiting ? t('manyWaiting') : '',
    userInfoRemoved ? t('userInfoRemoved') : '',
  ].filter(Boolean);
}
