import type { Queue } from './types.ts';

/** The person puts a queue on hold, or lets it go on. Nothing else lets it go on; what is on its way comes to its end. */
export function setOnHold(queue: Queue, isOnHold: boolean): Queue {
  if (Boolean(queue.state.onHold) === isOnHold) return queue;
  const { onHold: _, ...state } = queue.state;
  return { ...queue, state: isOnHold ? { ...state, onHold: true } : state };
}
