import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Clipboard } from '../../components/copy-button.tsx';
import { AllBox } from '../../components/select-all-checkbox.tsx';
import { useShowMore } from '../../components/show-more.tsx';
import { connectionNames, otherHost } from '../../format/display-text.ts';
import { plural, t } from '../../format/i18n.ts';
import { formatDay } from '../../format/relative-time.ts';
import { connectionOfLink } from '../../link-sync/ask-server.ts';
import type { Connection, Link } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import { moveBetweenRows } from './arrow-key-navigation.ts';
import { LinkRow, type LinkService, type RowActions } from './link-row.tsx';
import { SORTS, type Sort } from './search-and-sort.ts';
import type { LinksActions } from './use-links-actions.ts';

interface LinkListProps {
  links: Link[];
  /** False until all links have been read. The number of links is unknown until then. */
  complete: boolean;
  connections: Connection[];
  sort: Sort;
  setSort: (sort: Sort) => void;
  /** Ids of the selected links. */
  selected: ReadonlySet<string>;
  select: (ids: string[], isSelected: boolean) => void;
  now: number;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  /** Link whose removal was just undone. The focus returns to this link. */
  restored: string | null;
  searchTag: (tag: string) => void;
  remove: (link: Link) => void;
  open: LinksActions['open'];
  showClicks: (link: Link) => void;
  edit: (link: Link) => void;
}

/** The list of links. */
export function LinkList(props: LinkListProps) {
  const { links, complete, connections, sort, selected, select, restored, now, clipboard, showClicks, edit } = props;
  const list = useRef<HTMLDivElement>(null);
  const ids = useMemo(() => links.map(({ id }) => id), [links]);
  const byId = useMemo(() => new Map(connections.map((one) => [one.id, one])), [connections]);
  const names = useMemo(() => (connections.length > 1 ? connectionNames(connections) : null), [connections]);
  const { shown, more } = useShowMore(links, list, '.link');
  const removedAt = useRef<number | null>(null);

  const latest = useRef(props);
  latest.current = props;
  const { copy } = clipboard;
  const actions = useMemo(
    (): RowActions => ({
      copy,
      select,
      open: (link) => latest.current.open(link),
      showQr: (shortUrl) => latest.current.showQr(shortUrl),
      searchTag: (tag) => latest.current.searchTag(tag),
      remove: (link) => {
        removedAt.current = latest.current.links.indexOf(link);
        latest.current.remove(link);
      },
    }),
    [copy, select],
  );

  const isAmongListed = connections.some((connection) => capabilitiesOf(connection).list);
  /** Actions that each connection's server offers. */
  const services = useMemo(() => {
    const serviceOf = (one: Connection): LinkService => ({
      showClicks: capabilitiesOf(one).clicks === 'details' ? showClicks : undefined,
      edit: capabilitiesOf(one).edit.length > 0 ? edit : undefined,
      canDelete: capabilitiesOf(one).delete,
    });
    return new Map(connections.map((one) => [one.id, serviceOf(one)]));
  }, [connections, showClicks, edit]);

  const focusMenu = (index: number) =>
    list.current?.querySelectorAll('.link')[index]?.querySelector<HTMLElement>('.menu > button')?.focus();
  useLayoutEffect(() => {
    const index = restored === null ? -1 : ids.indexOf(restored);
    if (index >= 0) focusMenu(index);
  }, [restored]);
  // When the user removes a row, the focus moves to the row that takes its place.
  useLayoutEffect(() => {
    const index = removedAt.current;
    removedAt.current = null;
    if (index !== null) focusMenu(Math.min(index, links.length - 1));
  }, [links]);

  const row = (link: Link) => {
    const connection = link.connectionId === null ? undefined : byId.get(link.connectionId);
    const service = connectionOfLink(link, connections);
    return (
      <LinkRow
        key={link.id}
        {...{ link, now, actions, isAmongListed }}
        day={formatDay(link.createdAt, now)}
        isCopied={clipboard.copied === link.shortUrl}
        isSelected={selected.has(link.id)}
        connectionName={names && connection ? (names.get(connection.id) ?? '') : null}
        service={service && (services.get(service.id) ?? null)}
        otherHost={otherHost(link, connection) !== null}
      />
    );
  };

  return (
    // Arrow keys move the focus between the controls of the rows.
    <section class="links" aria-labelledby="links-total" onKeyDown={moveBetweenRows}>
      <div class="list-head">
        <AllBox
          label={t('selectAll')}
          total={links.length}
          selected={selected.size}
          set={(isSelected) => select(ids, isSelected)}
        />
        <h2 id="links-total">{complete ? plural('linksCount', links.length) : t('linksTitle')}</h2>
        <select
          class="plain-select"
          aria-label={t('sort')}
          value={sort}
          onChange={(event) => props.setSort(SORTS.find((one) => one === event.currentTarget.value) ?? 'newest')}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {t(`sort_${one}`)}
            </option>
          ))}
        </select>
      </div>
      <div ref={list}>
        <ul>{shown.map(row)}</ul>
      </div>
      {more}
    </section>
  );
}
