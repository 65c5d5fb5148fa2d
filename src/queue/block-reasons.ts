import type { BlockReason, ProblemCode, Queue, QueueState } from './types.ts';

const BLOCKING: ReadonlySet<ProblemCode> = new Set<BlockReason & ProblemCode>([
  'unauthorized',
  'forbidden',
  'not_a_service',
  'redirected',
]);

/** Returns the reason to block the whole queue after a problem, or null if the problem concerns only one URL. */
export function blockFor(code: ProblemCode): BlockReason | null {
  return BLOCKING.has(code) ? (code as BlockReason) : null;
}

/** True if the queue is blocked because of the API key. */
export function isKeyProblem(reason: BlockReason | null): boolean {
  return reason === 'unauthorized' || reason === 'forbidden';
}

/** Blocks a queue until the user allows the extension to access the server. */
export function blockForPermission(queue: Queue): Queue {
  return { ...queue, state: { ...queue.state, blocked: 'permission' } };
}

/** Maps each event to the block reasons that it resolves. */
const UNBLOCKED_BY = {
  permission_granted: ['permission'],
  key_accepted: ['unauthorized', 'forbidden'],
  /** The user tries again. If the server refused the API key before, the extension checks the key first. */
  user_retries: ['unauthorized', 'forbidden', 'not_a_service', 'redirected'],
  /** The user tested the connection, and the test was successful. */
  connection_tested: ['unauthorized', 'forbidden', 'not_a_service', 'redirected'],
  connection_saved: ['unauthorized', 'forbidden', 'key_missing', 'not_a_service', 'redirected'],
} as const satisfies Record<string, BlockReason[]>;

export type UnblockEvent = keyof typeof UNBLOCKED_BY;

/** Unblocks a queue if the event resolves the reason for the block. */
export function unblock(state: QueueState, event: UnblockEvent): QueueState {
  const ended: readonly BlockReason[] = UNBLOCKED_BY[event];
  return state.blocked && ended.includes(state.blocked) ? { ...state, blocked: null } : state;
}
