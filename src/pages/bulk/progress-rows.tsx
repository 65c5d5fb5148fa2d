import { useMemo, useRef } from 'preact/hooks';
import { type Clipboard, CopyIcon } from '../../components/copy-button.tsx';
import { useVirtualRows } from '../../components/hooks/use-virtual-rows.ts';
import { RequestButtons } from '../../components/request-buttons.tsx';
import { Address, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { statusInList } from '../../format/status-text.ts';
import type { ListedRequest } from '../../queue/status/request-status.ts';
import type { Link, Request } from '../../queue/types.ts';
import type { VisibleGroup } from '../../storage/bulk-groups.ts';
import type { BulkActions } from './use-bulk-actions.ts';

/** A URL of a group: its link, or its request. */
export type Member = { id: string } & ({ link: Link } | { listed: ListedRequest });

export interface GroupProgress {
  /** Requests that need the user first, then the others in list order. Deleted ones are left out. */
  members: Member[];
  links: Link[];
  /** Requests that can be canceled: pending, and not being sent right now. */
  left: ListedRequest[];
  /** Requests that need the user's decision. */
  stuck: ListedRequest[];
  /** True if no request is pending. */
  hasEnded: boolean;
  /** Number of URLs that were canceled or deleted from the history. */
  gone: number;
}

/** True if the request needs the user's decision. */
export function isStuck({ state }: Request): boolean {
  return state === 'failed' || state === 'undecided';
}

/** Returns the progress of a group. */
export function progressOf({ group, links }: VisibleGroup, requests: ListedRequest[]): GroupProgress {
  const linkById = new Map(links.map((link) => [link.id, link]));
  const requestById = new Map(requests.map((one) => [one.request.id, one]));
  const members = group.ids.flatMap((id): Member[] => {
    const link = linkById.get(id);
    if (link) return [{ id, link }];
    const listed = requestById.get(id);
    return listed ? [{ id, listed }] : [];
  });
  const listed = members.flatMap((member) => ('listed' in member ? [member.listed] : []));
  const needsUser = (member: Member) => 'listed' in member && isStuck(member.listed.request);
  const moving = listed.filter(({ request }) => !isStuck(request));
  return {
    members: [...members.filter(needsUser), ...members.filter((member) => !needsUser(member))],
    links: members.flatMap((member) => ('link' in member ? [member.link] : [])),
    left: moving.filter(({ request }) => request.state !== 'sending'),
    stuck: listed.filter(({ request }) => isStuck(request)),
    hasEnded: moving.length === 0,
    gone: group.ids.length - members.length,
  };
}

/** Estimated height of a row, in pixels. */
const ROW_HEIGHT = 49;

interface MemberRowsProps {
  members: Member[];
  now: number;
  clipboard: Clipboard;
  handlers: Pick<BulkActions, 'cancel' | 'retry'>;
}

/** The URLs of a group, each with its short URL or its status. Only visible rows are rendered. */
export function ProgressRows({ members, ...shown }: MemberRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => members.map(({ id }) => id), [members]);
  const { rows, height, measure } = useVirtualRows(list, ids, ROW_HEIGHT);
  return (
    <ul ref={list} class="rows" style={{ blockSize: `${height}px` }}>
      {rows.map(({ index, start }) => {
        const member = members[index];
        return (
          member && (
            <li
              key={member.id}
              ref={measure}
              class="row"
              data-index={index}
              aria-setsize={members.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <MemberRow member={member} {...shown} />
            </li>
          )
        );
      })}
    </ul>
  );
}

function MemberRow({ member, now, clipboard, handlers }: Omit<MemberRowsProps, 'members'> & { member: Member }) {
  if ('link' in member) {
    const { shortUrl, title, url } = member.link;
    return (
      <>
        <span class="row-text">
          <ShortAddress url={shortUrl} />
          {title ? <UntrustedText class="line row-about" text={title} hover={url} /> : <Address url={url} />}
        </span>
        <CopyIcon text={shortUrl} clipboard={clipboard} />
      </>
    );
  }
  const { request, status } = member.listed;
  return (
    <>
      <span class="row-text">
        {request.title && <UntrustedText class="line" text={request.title} hover={request.url} />}
        <Address url={request.url} />
      </span>
      <span class={`row-note is-${status.kind}`}>{statusInList(status, request.problem, now)}</span>
      {isStuck(request) && (
        <RequestButtons listed={member.listed} retry={handlers.retry} cancel={(id) => handlers.cancel([id])} />
      )}
    </>
  );
}
