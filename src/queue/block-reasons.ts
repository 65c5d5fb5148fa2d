import type { BlockReason, ProblemCode, QueueState } from './types.ts';

const BLOCKING: ReadonlySet<ProblemCode> = new Set<BlockReason & ProblemCode>([
  'unauthorized',
  'forbidden',
  'not_a_service',
  'redirected',
]);

/** The halt a refusal calls for: every other request would meet it too. Null for one that is about its own URL. */
export function blockFor(code: ProblemCode): BlockReason | null {
  return BLOCKING.has(code) ? (code as BlockReason) : null;
}

/** True if the user has to enter another key, or make the service accept the key. */
export function isKeyProblem(reason: BlockReason | null): boolean {
  return reason === 'unauthorized' || reason === 'forbidden';
}

/** Whether what has just happened is what the queue halted for; any other event leaves it halted. */
const ENDED_BY = {
  /** The browser granted access to the connection's own address. */
  permission_granted: ['permission'],
  /** Another API key was stored for the connection, or the service accepts the one it has after all. */
  key_accepted: ['unauthorized', 'forbidden'],
  /** The user asks to try again: a refused key is checked before anything is sent. */
  person_retries: ['unauthorized', 'forbidden', 'not_a_service', 'redirected'],
  /** A test of the connection reached the service, which did not refuse the key. */
  connection_tested: ['unauthorized', 'forbidden', 'not_a_service', 'redirected'],
  /** The connection was saved again, with its address and key. */
  connection_saved: ['unauthorized', 'forbidden', 'key_missing', 'not_a_service', 'redirected'],
} as const satisfies Record<string, BlockReason[]>;

export type UnblockEvent = keyof typeof ENDED_BY;

/** Ends the halt where `event` is what it waits for. */
export function unblock(state: QueueState, event: UnblockEvent): QueueState {
  const ended: readonly BlockReason[] = ENDED_BY[event];
  return state.halt && ended.includes(state.halt) ? { ...state, halt: null } : state;
}
