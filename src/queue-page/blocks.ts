import type { Queue, Request } from '../queue/types.ts';
import type { ListedRequest } from '../ui/listed-requests.ts';

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
