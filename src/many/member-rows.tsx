import { useMemo, useRef } from 'preact/hooks';
import { Address, ShortAddress } from '../ui/address.tsx';
import { type Clipboard, CopyIcon } from '../ui/copy.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { RequestButtons } from '../ui/request-buttons.tsx';
import { statusInList } from '../ui/sentences.ts';
import { useVirtualRows } from '../ui/use-virtual-rows.ts';
import { isStuck, type Member } from './group-members.ts';
import type { ManyHandlers } from './handlers.ts';

/** A row's height before it has been measured, in pixels. */
const ROW_HEIGHT = 49;

interface MemberRowsProps {
  members: Member[];
  now: number;
  clipboard: Clipboard;
  handlers: Pick<ManyHandlers, 'cancel' | 'retry'>;
}

/** The addresses of a list, each with its short URL or what it waits for; the page holds those that the window shows. */
export function MemberRows({ members, ...shown }: MemberRowsProps) {
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
          {title ? <ForeignText class="line row-about" text={title} hover={url} /> : <Address url={url} />}
        </span>
        <CopyIcon text={shortUrl} clipboard={clipboard} />
      </>
    );
  }
  const { request, status } = member.listed;
  return (
    <>
      <span class="row-text">
        {request.title && <ForeignText class="line" text={request.title} hover={request.url} />}
        <Address url={request.url} />
      </span>
      <span class={`row-note is-${status.kind}`}>{statusInList(status, request.problem, now)}</span>
      {isStuck(request) && (
        <RequestButtons listed={member.listed} retry={handlers.retry} cancel={(id) => handlers.cancel([id])} />
      )}
    </>
  );
}
