import { useMemo, useRef } from 'preact/hooks';
import { useVirtualRows } from '../../components/hooks/use-virtual-rows.ts';
import { IconButton } from '../../components/icons.tsx';
import { RequestButtons } from '../../components/request-buttons.tsx';
import { Address, UntrustedText } from '../../components/url-and-title.tsx';
import { plural, t } from '../../format/i18n.ts';
import { statusInList } from '../../format/status-text.ts';
import type { ListedRequest } from '../../queue/status/request-status.ts';
import type { Queue, Request } from '../../queue/types.ts';

type ListRowProps = RowActions & { row: Row & { kind: 'list' } };

/** A bulk list: can be opened, and canceled as a whole. */
export function ListRow({ row, cancel, toggle, openGroup }: ListRowProps) {
  const { block, isOpen } = row;
  const name = plural('groupTitle', block.requests.length);
  const groupId = block.groupId ?? '';
  return (
    <>
      <div class="row-text is-list">
        <button type="button" class="text-button" aria-expanded={isOpen} onClick={() => toggle(groupId)}>
          {name}
        </button>
        <button type="button" class="text-button is-soft" onClick={() => openGroup(groupId)}>
          {t('groupShow')}
        </button>
      </div>
      <div class="row-buttons">
        <IconButton
          icon="close"
          name={t('cancelNamed', name)}
          press={() =>
            cancel(
              block.requests.map(({ request }) => request.id),
              true,
            )
          }
        />
      </div>
    </>
  );
}

type RequestRowProps = RowActions & { row: Row & { kind: 'request' } };

/** A request, its status and its buttons. A request that is being sent cannot be canceled. */
export function RequestRow({ row, now, cancel, retry }: RequestRowProps) {
  const { listed } = row;
  const { request, status } = listed;
  const { title, url, problem } = request;
  const isOver = status.kind === 'failed' || status.kind === 'undecided';
  return (
    <>
      <div class="row-text">
        {title && <UntrustedText class="line" text={title} hover={url} />}
        <Address url={url} />
        <span class={`row-why is-${status.kind}`}>{statusInList(status, problem, now)}</span>
        {isOver && problem?.message && <UntrustedText class="line row-words" text={problem.message} />}
      </div>
      <div class="row-buttons">
        <RequestButtons listed={listed} retry={retry} cancel={(id) => cancel([id], false)} />
      </div>
    </>
  );
}

/** Estimated height of a row, in pixels. */
const ROW_HEIGHT = 49;

export interface RowActions {
  now: number;
  cancel: (ids: string[], isList: boolean) => void;
  retry: (id: string) => void;
  toggle: (groupId: string) => void;
  openGroup: (groupId: string) => void;
}

interface QueueRowsProps extends RowActions {
  rows: Row[];
}

/** The requests of a queue in order. Only visible rows are rendered. */
export function QueueRows({ rows, ...actions }: QueueRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const { rows: shown, height, measure } = useVirtualRows(list, keys, ROW_HEIGHT);
  return (
    <ul ref={list} class="rows" style={{ blockSize: `${height}px` }}>
      {shown.map(({ index, start }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <li
            key={row.key}
            ref={measure}
            class={`row ${row.kind === 'request' && row.isMember ? 'is-member' : ''}`}
            data-index={index}
            data-key={row.key}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {row.kind === 'list' ? <ListRow row={row} {...actions} /> : <RequestRow row={row} {...actions} />}
          </li>
        );
      })}
    </ul>
  );
}

/** A single request, or neighboring requests of one bulk list. */
export interface Block {
  /** Id of its first request. */
  id: string;
  groupId: string | null;
  requests: ListedRequest[];
}

export interface Line {
  /** Requests that need the user. */
  stuck: ListedRequest[];
  /** Requests that are being sent, or are sent again before all others. */
  open: ListedRequest[];
  /** Waiting requests, in the order of sending. */
  blocks: Block[];
}

/** Groups the requests of a queue. `requests` are in the order of sending. */
export function lineOf({ attempts }: Queue, requests: ListedRequest[]): Line {
  const attempted = new Set(attempts.flatMap(({ requestIds }) => requestIds));
  const isStuck = ({ state }: Request) => state === 'failed' || state === 'undecided';
  const isOpen = ({ id, state }: Request) => state !== 'waiting' || attempted.has(id);
  const line: Line = { stuck: [], open: [], blocks: [] };
  for (const one of requests) {
    const { request } = one;
    const last = line.blocks.at(-1);
    if (isStuck(request)) line.stuck.push(one);
    else if (isOpen(request)) line.open.push(one);
    else if (last && last.groupId !== null && last.groupId === request.groupId) last.requests.push(one);
    else line.blocks.push({ id: request.id, groupId: request.groupId, requests: [one] });
  }
  return line;
}

/** One row of a queue: a list as a whole, or a request. */
export type Row =
  | { key: string; kind: 'list'; block: Block; isOpen: boolean }
  | { key: string; kind: 'request'; listed: ListedRequest; isMember: boolean };

/** Returns the rows of a queue. The requests of a bulk list have rows only if the list is open. */
export function rowsOf({ stuck, open, blocks }: Line, openLists: ReadonlySet<string>): Row[] {
  const fixed = [...stuck, ...open].map((listed) => requestRow(listed, false));
  const waiting = blocks.flatMap((block): Row[] => {
    const { groupId, requests } = block;
    if (groupId === null) return requests.map((listed) => requestRow(listed, false));
    const isOpen = openLists.has(groupId);
    const list: Row = { key: `list-${block.id}`, kind: 'list', block, isOpen };
    return isOpen ? [list, ...requests.map((listed) => requestRow(listed, true))] : [list];
  });
  return [...fixed, ...waiting];
}

function requestRow(listed: ListedRequest, isMember: boolean): Row {
  return { key: listed.request.id, kind: 'request', listed, isMember };
}
