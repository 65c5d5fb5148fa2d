import { useMemo, useRef } from 'preact/hooks';
import { useShowMore } from '../../components/show-more.tsx';
import { Address, UntrustedText } from '../../components/url-and-title.tsx';
import { displayUrl } from '../../format/display-text.ts';
import { formatNumber, t } from '../../format/i18n.ts';
import type { Link } from '../../queue/types.ts';
import type { Entry } from './list-model.ts';

interface UrlRowsProps {
  entries: Entry[];
  chosen: Entry[];
  /** Existing usable links, by URL. */
  known: Map<string, Link>;
  /** URLs that are already in the queue. */
  waiting: ReadonlySet<string>;
  choose: (ids: string[], isChosen: boolean) => void;
}

/** The URLs of a list, each with a checkbox. */
export function UrlRows({ entries, chosen, known, waiting, choose }: UrlRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const chosenIds = useMemo(() => new Set(chosen.map(({ id }) => id)), [chosen]);
  const { shown, more } = useShowMore(entries, list, '.row');
  return (
    <>
      <ul ref={list} class="rows">
        {shown.map((entry) => {
          const { id, url, title } = entry;
          const notes = notesOf(entry, known.get(url), waiting.has(url));
          const isChosen = chosenIds.has(id);
          const isFree = known.has(url) || waiting.has(url);
          return (
            <li key={id} class="row">
              <label class={`row-label ${isFree || !isChosen ? 'is-soft' : ''}`}>
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
function notesOf({ times, userInfoRemoved }: Entry, link: Link | undefined, isWaiting: boolean): string[] {
  return [
    link ? t('manyKnown', readable(link.shortUrl)) : isWaiting ? t('manyWaiting') : '',
    times > 1 ? t('manyTimes', formatNumber(times)) : '',
    userInfoRemoved ? t('userInfoRemoved') : '',
  ].filter(Boolean);
}

function readable(url: string): string {
  const { host, rest } = displayUrl(url);
  return host + rest;
}
