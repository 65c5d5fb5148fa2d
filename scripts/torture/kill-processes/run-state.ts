import type { Chance } from '../random-choices.ts';
import type { Services } from './faulty-services.ts';
import type { Order } from './find-broken-promises.ts';
import type { SimulatedUser } from './simulated-user.ts';

/** The user's requests to one service. */
export interface Queue {
  connectionId: string;
  orders: Order[];
}

export interface RunState {
  chance: Chance;
  user: SimulatedUser;
  services: Services;
  idempotent: Queue;
  specOnly: Queue;
  /** Number of times that the user sent each request in the queue `specOnly` again, by URL. */
  sentAgain: Map<string, number>;
  kills: Record<'background' | 'browser' | 'service', number>;
}
