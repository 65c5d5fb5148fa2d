import { setTimeout as pause } from 'node:timers/promises';
import type { RestartableBackend } from '../../../test/e2e/harness/backend.ts';
import type { Gate } from '../../../test/e2e/harness/proxies.ts';
import type { Chance } from '../random-choices.ts';
import type { History } from './history.ts';
import type { Database } from './record-run.ts';

export interface Target {
  database: Database;
  servers: [RestartableBackend, ...RestartableBackend[]];
  /** Proxies between the clients and the servers. */
  gates: Gate[];
  history: History;
}

/**
 * Differences in milliseconds between the service's clock and this computer's clock: the current one and the greatest
 * one so far.
 */
interface Clock {
  ahead: number;
  latest: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const FAULTS = ['kill', 'kill', 'kill', 'suspend', 'clock', 'clock', 'restart', 'crash'] as const;
const MANNERS = ['right', 'right', 'right', 'drop-before', 'drop-after', 'cut', 'hold'] as const;

/**
 * Causes `count` faults one after another. During each fault, the proxies in `target.gates` sometimes lose requests
 * and responses.
 */
export async function causeFaults(target: Target, count: number, chance: Chance): Promise<void> {
  const { gates, history } = target;
  const clock = { ahead: 0, latest: 0 };
  for (let fault = 0; fault < count; fault += 1) {
    for (const gate of gates) gate.manner = chance.pick(MANNERS);
    history.fault(`proxies: ${gates.map(({ manner }) => manner).join(', ')}`);
    await pause(chance.between(0, 250));
    await causeFault(target, clock, chance);
    for (const gate of gates) gate.manner = 'right';
    await pause(chance.between(0, 1_000));
  }
}

async function causeFault({ database, servers, history }: Target, clock: Clock, chance: Chance): Promise<void> {
  const fault = chance.pick(FAULTS);
  const server = chance.pick(servers);
  const milliseconds = chance.between(0, 1_500);
  if (fault === 'clock') {
    clock.ahead = nextClock(clock, chance);
    clock.latest = Math.max(clock.latest, clock.ahead);
    history.setClock(clock.ahead);
    database.setClock(clock.ahead / 1000);
    return;
  }
  if (fault === 'crash' && !database.crash) return;
  history.fault(fault, milliseconds);
  if (fault === 'crash') await database.crash?.();
  if (fault === 'suspend') await server.suspend(milliseconds);
  if (fault === 'kill') {
    await server.kill();
    await pause(milliseconds);
    await server.start();
  }
  if (fault === 'restart') {
    await server.stop();
    await server.start();
  }
}

/**
 * Returns a new offset of the service's clock from the real time, in milliseconds. The clock is never set to more
 * than one day before its latest time. Otherwise, the service would reset used quotas.
 */
function nextClock({ ahead, latest }: Clock, chance: Chance): number {
  const jump = chance.pick(['day', 'hours', 'back', 'midnight'] as const);
  if (jump === 'day') return ahead + DAY;
  if (jump === 'hours') return ahead + chance.between(1, 12) * HOUR;
  if (jump === 'back') return Math.max(ahead - chance.between(1, 12) * HOUR, latest - DAY);
  // Sets the clock to a time within two seconds of midnight.
  const untilMidnight = DAY - ((Date.now() + ahead) % DAY);
  return ahead + Math.max(0, Math.floor(untilMidnight / 1000 - chance.between(0, 2)) * 1000);
}
