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
  /**
   * Number of times that the user resent a request, by the URL in the request. Contains only requests to the service
   * without idempotency keys.
   */
  sentAgain: Map<string, number>;
  kills: Record<'background' | 'browser' | 'service', number>;
}
