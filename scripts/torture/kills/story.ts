import type { Chance } from '../chance.ts';
import type { Player } from './player.ts';
import type { Order } from './promises.ts';
import type { Services } from './services.ts';

/** The user's requests to one service. */
export interface Queue {
  connectionId: string;
  orders: Order[];
}

export interface Story {
  chance: Chance;
  player: Player;
  services: Services;
  idempotent: Queue;
  specOnly: Queue;
  /** Number of times that the user sent a request again to the service without idempotency keys, by URL. */
  sentAgain: Map<string, number>;
  kills: Record<'background' | 'browser' | 'service', number>;
}
