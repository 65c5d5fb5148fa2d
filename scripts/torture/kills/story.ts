import type { Chance } from '../chance.ts';
import type { Player } from './player.ts';
import type { Order } from './promises.ts';
import type { Services } from './services.ts';

/** What a person has at one service. */
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
  /** How often the person said "send again" of a request at the service with the specification alone, by its URL. */
  sentAgain: Map<string, number>;
  /** How often each was killed. */
  kills: Record<'background' | 'browser' | 'service', number>;
}
