import { useMemo, useRef } from 'preact/hooks';
import { useVirtualRows } from '../../components/hooks/use-virtual-rows.ts';
import { Address, UntrustedText } from '../../components/url-and-title.tsx';
import { displayUrl } from '../../format/display-text.ts';
import { formatNumber, t } from '../../format/i18n.ts';
import type { Link } from '../../queue/types.ts';
import type { Entry } from './list-model.ts';

/** Estimated height of a row, in pixels. */
const ROW_HEIGHT = 49;

interface AddressRowsProps {
  entries: Entry[];
  unchosen: ReadonlySet<string>;
  /** Usable links that the URLs already have, by URL. */
  known: Map<string, Link>;
  /** URLs that are already in the queue. */
  waiting: ReadonlySet<string>;
  choose: (ids: string[], isChosen: boolean) => void;
}

/** The URLs of a list, each with a checkbox. Only visible rows are rendered. */
export function UrlRows({ entries, unchosen, known, waiting, choose }: AddressRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => entries.map(({ id }) => id), [entries]);
  const { rows, height, measure } = useVirtualRows(list, ids, ROW_HEIGHT);
  return (
    <ul ref={list} class="rows" style={{ blockSize: `${height}px` }}>
      {rows.map(({ index, start }) => {
        const entry = entries[index];
        if (!entry) return null;
        const { id, url, title } = entry;
        return (
          <li
            key={id}
            ref={measure}
            class="row"
            data-index={index}
            aria-setsize={entries.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            <label class="row-label">
              <input
                type="checkbox"
                checked={!unchosen.has(id)}
                onChange={(event) => choose([id], event.currentTarget.checked)}
              />
              <span class="row-text">
                {title && <UntrustedText class="line" text={title} hover={url} />}
                <Address url={url} />
              </span>
            </label>
            <RowNote entry={entry} link={known.get(url)} isWaiting={waiting.has(url)} />
          </li>
        );
      })}
    </ul>
  );
}

function RowNote({ entry, link, isWaiting }: { entry: Entry; link: Link | undefined; isWaiting: boolean }) {
  const notes = [
    link && t('manyKnown', readable(link.shortUrl)),
    !link && isWaiting && t('manyWaiting'),
    entry.times > 1 && t('manyTimes', formatNumber(entry.times)),
    entry.userInfoRemoved && t('userInfoRemoved'),
  ].filter((note) => note !== undefined && note !== false);
  if (notes.length === 0) return null;
  return (
    <span class="row-note">
      {notes.map((note) => (
        <bdi key={note}>{note}</bdi>
      ))}
    </span>
  );
}

function readable(url: string): string {
  const { host, rest } = displayUrl(url);
  return host + rest;
}
