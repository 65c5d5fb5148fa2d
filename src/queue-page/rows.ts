import type { ListedRequest } from '../ui/listed-requests.ts';
import { type Block, type Direction, type Line, type Move, moveBlock, moveMember } from './blocks.ts';

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
