import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useVirtualRows } from '../../components/hooks/use-virtual-rows.ts';
import { Icon, IconButton } from '../../components/icons.tsx';
import { RequestButtons } from '../../components/request-buttons.tsx';
import { Address, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText } from '../../format/display-text.ts';
import { plural, t } from '../../format/i18n.ts';
import { statusInList } from '../../format/status-text.ts';
import type { ListedRequest } from '../../queue/status/request-status.ts';
import type { Queue, Request } from '../../queue/types.ts';

interface MoveButtonsProps {
  rowKey: string;
  /** What is moved, for its buttons' names. */
  name: string;
  moves: Moves;
  move: RowActions['move'];
}

/** To the front of the line, one place ahead, one place back. */
export function MoveButtons({ rowKey, name, moves, move }: MoveButtonsProps) {
  const button = (direction: keyof Moves, text: string, to: Move | null) => (
    <button
      type="button"
      class="icon-button"
      data-direction={direction}
      aria-label={text}
      title={text}
      disabled={to === null}
      onClick={() => to && move(rowKey, direction, to)}
    >
      <Icon name={direction} />
    </button>
  );
  return (
    <>
      {button('first', t('moveFirst', name), moves.first)}
      {button('earlier', t('moveEarlier', name), moves.earlier)}
      {button('later', t('moveLater', name), moves.later)}
    </>
  );
}

type ListRowProps = RowActions & { row: Row & { kind: 'list' } };

/** A list of addresses that were ordered together: opened to see them, moved and given up as a whole. */
export function ListRow({ row, move, cancel, toggle, openGroup }: ListRowProps) {
  const { block, isOpen, moves, key } = row;
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
        <MoveButtons rowKey={key} name={name} moves={moves} move={move} />
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
export function RequestRow({ row, now, move, cancel, retry }: RequestRowProps) {
  const { listed, moves, key } = row;
  const { request, status } = listed;
  const { title, url, problem } = request;
  const name = displayText(title || url);
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
        {moves && <MoveButtons rowKey={key} name={name} moves={moves} move={move} />}
        <RequestButtons listed={listed} retry={retry} cancel={(id) => cancel([id], false)} />
      </div>
    </>
  );
}

/** Estimated height of a row, in pixels. */
const ROW_HEIGHT = 49;

export interface RowActions {
  now: number;
  move: (key: string, direction: 'first' | 'earlier' | 'later', move: { ids: string[]; before: string | null }) => void;
  cancel: (ids: string[], isList: boolean) => void;
  retry: (id: string) => void;
  toggle: (groupId: string) => void;
  openGroup: (groupId: string) => void;
}

interface QueueRowsProps extends RowActions {
  rows: Row[];
  /** What was moved last, by which button: it keeps the focus wherever it is now. */
  moved: { key: string; direction: string } | null;
}

/** The requests of a queue in order. Only visible rows are rendered. */
export function QueueRows({ rows, moved, ...actions }: QueueRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const { rows: shown, height, measure } = useVirtualRows(list, keys, ROW_HEIGHT);
  const focused = useRef(moved);
  useLayoutEffect(() => {
    if (!moved || focused.current === moved) return;
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-key="${CSS.escape(moved.key)}"] button`);
    const wanted = [...(buttons ?? [])].find((button) => button.dataset.direction === moved.direction);
    // At the end of its way a button is disabled: the first that is not takes its place.
    const button = wanted && !wanted.disabled ? wanted : [...(buttons ?? [])].find((one) => !one.disabled);
    button?.focus();
    if (button) focused.current = moved;
    // Not at the press itself: the line is in its new order once the background has it.
  }, [keys.join()]);
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

/** Requests that stand behind each other in line and move together: one by itself, or the neighbours of one list. */
export interface Block {
  /** Of its first request, so that the same block is known again. */
  id: string;
  groupId: string | null;
  requests: ListedRequest[];
}

export interface Line {
  /** Only the person can move these on: they stand in no line. */
  stuck: ListedRequest[];
  /** Being sent, or to be sent again by the same bytes: before everything else, and not to be moved. */
  open: ListedRequest[];
  /** First in line first. */
  blocks: Block[];
}

/** What waits in one queue, as the person can move it. `requests` are the queue's, in line. */
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

/** A place in line: in front of a request, or at the end. */
export interface Move {
  ids: string[];
  before: string | null;
}

export type Direction = 'first' | 'earlier' | 'later';

/** Where a block goes one way; null where it cannot go further. */
export function moveBlock(blocks: Block[], index: number, direction: Direction): Move | null {
  const ids = blocks[index]?.requests.map(({ request }) => request.id) ?? [];
  const firstOf = (at: number) => blocks[at]?.requests[0]?.request.id ?? null;
  return moveTo(ids, index, blocks.length, direction, firstOf);
}

/** Where one request of a list goes within the list. */
export function moveMember(
  { requests }: Block,
  index: number,
  after: string | null,
  direction: Direction,
): Move | null {
  const idAt = (at: number) => requests[at]?.request.id ?? after;
  return moveTo([idAt(index) ?? ''], index, requests.length, direction, idAt);
}

function moveTo(
  ids: string[],
  index: number,
  count: number,
  direction: Direction,
  idAt: (index: number) => string | null,
): Move | null {
  if (direction === 'later') return index + 1 < count ? { ids, before: idAt(index + 2) } : null;
  return index > 0 ? { ids, before: idAt(direction === 'first' ? 0 : index - 1) } : null;
}

const DIRECTIONS: Direction[] = ['first', 'earlier', 'later'];

/** Where something in line can go; null: not that way. */
export type Moves = Record<Direction, Move | null>;

/** One row of a queue: a list as a whole, or a request. */
export type Row =
  | { key: string; kind: 'list'; block: Block; isOpen: boolean; moves: Moves }
  | { key: string; kind: 'request'; listed: ListedRequest; isMember: boolean; moves: Moves | null };

/** The rows of a queue. Of a list that is closed only the list itself. */
export function rowsOf({ stuck, open, blocks }: Line, openLists: ReadonlySet<string>): Row[] {
  const fixed = [...stuck, ...open].map((listed) => requestRow(listed, false, null));
  const moving = blocks.flatMap((block, index): Row[] => {
    const [first] = block.requests;
    const moves = movesOf((direction) => moveBlock(blocks, index, direction));
    if (!first) return [];
    if (block.groupId === null) return [requestRow(first, false, moves)];
    const isOpen = openLists.has(block.groupId);
    const list: Row = { key: `list-${block.id}`, kind: 'list', block, isOpen, moves };
    return isOpen ? [list, ...membersOf(block, blocks[index + 1])] : [list];
  });
  return [...fixed, ...moving];
}

function membersOf(block: Block, next: Block | undefined): Row[] {
  const after = next?.requests[0]?.request.id ?? null;
  return block.requests.map((listed, index) => {
    const moves = movesOf((direction) => moveMember(block, index, after, direction));
    return requestRow(listed, true, moves);
  });
}

function requestRow(listed: ListedRequest, isMember: boolean, moves: Moves | null): Row {
  return { key: listed.request.id, kind: 'request', listed, isMember, moves };
}

function movesOf(move: (direction: Direction) => Move | null): Moves {
  return Object.fromEntries(DIRECTIONS.map((direction) => [direction, move(direction)])) as Moves;
}
