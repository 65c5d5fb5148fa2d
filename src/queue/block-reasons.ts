import type { BlockReason, ProblemCode, Queue, QueueState } from './types.ts';

const BLOCKING: ReadonlySet<ProblemCode> = new Set<BlockReason & ProblemCode>([
  'unauthorized',
  'forbidden',
  'not_a_service',
  'redirected',
]);

/** Returns the reason to block the whole queue after this problem. Null if the problem concerns only one URL. */
export function blockFor(code: ProblemCode): BlockReason | null {
  return BLOCKING.has(code) ? (code as BlockReason) : null;
}

/** True if the user has to enter another key, or make the service accept the key. */
export function isKeyProblem(reason: BlockReason | null): boolean {
  return reason === 'unauthorized' || reason === 'forbidden';
}

/** Blocks a queue until the browser allows access to its service. */
export function blockForPermission(queue: Queue): Queue {
  return { ...queue, state: { ...queue.state, halt: 'permission' } };
}

/** Block reasons that each event ends. */
const UNBLOCKED_BY = {
  /** The browser granted access to the connection's address. */
  permission_granted: ['permission'],
  /** The service accepts the API key. */
  key_accepted: ['unauthorized', 'forbidden'],
  /** The user tries again. A refused key is checked before anything is sent. */
  user_retries: ['unauthorized', 'forbidden', 'not_a_service', 'redirected'],
  /** A test of the connection reached the service, and the key was not refused. */
  connection_tested: ['unauthorized', 'forbidden', 'not_a_service', 'redirected'],
  /** The user saved the connection. */
  connection_saved: ['unauthorized', 'forbidden', 'key_missing', 'not_a_service', 'redirected'],
} as const satisfies Record<string, BlockReason[]>;

export type UnblockEvent = keyof typeof UNBLOCKED_BY;

/** Unblocks a queue if the event ends its block reason. */
export function unblock(state: QueueState, event: UnblockEvent): QueueState {
  const ended: readonly BlockReason[] = UNBLOCKED_BY[event];
  return state.halt && ended.includes(state.halt) ? { ...state, halt: null } : state;
}
