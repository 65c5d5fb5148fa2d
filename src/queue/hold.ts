import type { Queue } from './types.ts';

/** The person puts a queue on hold, or lets it go on. Nothing else lets it go on; what is on its way comes to its end. */
export function setOnHold(queue: Queue, isOnHold: boolean): Queue {
  if (Boolean(queue.state.onHold) === isOnHold) return queue;
  if (isOnHold) return { ...queue, state: { ...queue.state, onHold: true } };
  return { ...queue, state: released(queue.state), requests: queue.requests.map(released) };
}

/** Puts a queue on hold where something waits in it that the person had put on hold in another. */
export function heldByRequests(queue: Queue): Queue {
  const isHeld = queue.requests.some(({ onHold, state }) => onHold && state === 'waiting');
  return isHeld ? setOnHold(queue, true) : queue;
}

/** Without the mark; the same object where it has none. */
export function released<T extends { onHold?: true }>(one: T): Omit<T, 'onHold'> {
  if (!one.onHold) return one;
  const { onHold: _, ...rest } = one;
  return rest;
}
