import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Clipboard } from '../../components/copy-button.tsx';
import { useVirtualRows } from '../../components/hooks/use-virtual-rows.ts';
import { connectionNames, otherHost } from '../../format/display-text.ts';
import { connectionOfLink } from '../../link-sync/edit-and-delete-link.ts';
import type { Connection, Link } from '../../queue/types.ts';
import { capabilitiesOf } from '../../services/known-service.ts';
import { useArrowKeyNavigation } from './arrow-key-navigation.ts';
import { LinkRow, type LinkService, type RowActions } from './link-row.tsx';
import type { LinksActions } from './use-links-actions.ts';

interface LinkListProps {
  links: Link[];
  connections: Connection[];
  now: number;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  /** Link whose removal was just undone. It gets the focus back. */
  restored: string | null;
  remove: (link: Link) => void;
  open: LinksActions['open'];
  showClicks: (link: Link) => void;
  edit: (link: Link) => void;
  /** False if changes to a link cannot be stored; see `LinksPage`. */
  canKeep: boolean;
}

/** The list of links. Only visible rows are rendered. */
export function LinkList(props: LinkListProps) {
  const { links, connections, restored, now, clipboard, showClicks, edit, canKeep } = props;
  const list = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => links.map(({ id }) => id), [links]);
  const byId = useMemo(() => new Map(connections.map((one) => [one.id, one])), [connections]);
  const names = useMemo(() => (connections.length > 1 ? connectionNames(connections) : null), [connections]);
  const { rows, height, measure, scrollTo } = useVirtualRows(list, ids, ROW_HEIGHT);
  const { moveTo, press } = useArrowKeyNavigation(list, links.length, scrollTo);
  const removedAt = useRef<number | null>(null);

  const latest = useRef(props);
  latest.current = props;
  const { copy } = clipboard;
  const actions = useMemo(
    (): RowActions => ({
      copy,
      open: (link) => latest.current.open(link),
      showQr: (shortUrl) => latest.current.showQr(shortUrl),
      remove: (link) => {
        removedAt.current = latest.current.links.indexOf(link);
        latest.current.remove(link);
      },
    }),
    [copy],
  );

  const isAmongListed = connections.some((connection) => capabilitiesOf(connection).list);
  /** Features of each connection's server, for normal links and for private ones. */
  const [services, privateServices] = useMemo(() => {
    const servicesFor = (isKept: boolean) =>
      new Map(
        connections.map((one): [string, LinkService] => [
          one.id,
          {
            showClicks: capabilitiesOf(one).clicks === 'details' ? showClicks : undefined,
            edit: isKept && capabilitiesOf(one).edit.length > 0 ? edit : undefined,
            canDelete: capabilitiesOf(one).delete,
          },
        ]),
      );
    return [servicesFor(canKeep), servicesFor(false)];
  }, [connections, showClicks, edit, canKeep]);

  useLayoutEffect(() => {
    const index = restored === null ? -1 : ids.indexOf(restored);
    if (index >= 0) moveTo({ index, button: REMOVE });
  }, [restored]);
  // The row that replaces a removed one gets its focus.
  useLayoutEffect(() => {
    const index = removedAt.current;
    removedAt.current = null;
    if (index !== null) moveTo({ index: Math.min(index, links.length - 1), button: REMOVE });
  }, [links]);

  return (
    // The keyboard controls are the buttons. The list only moves the focus between them.
    <ul
      ref={list}
      class={`links ${isAmongListed ? 'is-listed' : ''}`}
      style={{ blockSize: `${height}px` }}
      onKeyDown={press}
    >
      {rows.map(({ index, start }) => {
        const link = links[index];
        if (!link) return null;
        const connection = link.connectionId === null ? undefined : byId.get(link.connectionId);
        const service = connectionOfLink(link, connections);
        return (
          <LinkRow
            key={link.id}
            {...{ link, index, start, measure, count: links.length, now, actions }}
            isCopied={clipboard.copied === link.shortUrl}
            connectionName={names && connection ? (names.get(connection.id) ?? '') : null}
            isAmongListed={isAmongListed}
            service={service && ((link.private ? privateServices : services).get(service.id) ?? null)}
            otherHost={otherHost(link, connection) !== null}
          />
        );
      })}
    </ul>
  );
}

/** Estimated height of a row, in pixels. */
const ROW_HEIGHT = 57;

/** Index of the Remove button, which is the last one of a row. */
const REMOVE = Number.POSITIVE_INFINITY;
