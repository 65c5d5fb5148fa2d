import { chanceFrom } from '../random-choices.ts';
import type { Findings } from '../random-test.ts';
import { checkKeys, checkSpecOnly, sendUndecidedAgain, untilEmpty } from './check-after-kills.ts';
import { connect } from './connect.ts';
import { type Services, startServices } from './faulty-services.ts';
import { fillQueues, performRandomEvent } from './random-events.ts';
import type { RunState } from './run-state.ts';
import { type BrowserKind, type SimulatedUser, startSimulatedUser } from './simulated-user.ts';

const EVENTS = 30;

export async function runWithKills(kind: BrowserKind, seed: number): Promise<Findings> {
  const services = await startServices();
  try {
    const user = await startSimulatedUser(kind);
    try {
      return await runOnce(user, services, seed);
    } finally {
      await user.end();
    }
  } finally {
    await services.end();
  }
}

async function runOnce(user: SimulatedUser, services: Services, seed: number): Promise<Findings> {
  const { backend, gate, specOnly } = services;
  const state: RunState = {
    chance: chanceFrom(seed),
    user,
    services,
    idempotent: { connectionId: await connect(user, gate.baseUrl, backend.apiKey), orders: [] },
    specOnly: { connectionId: await connect(user, specOnly.baseUrl, specOnly.apiKey), orders: [] },
    sentAgain: new Map(),
    kills: { background: 0, browser: 0, service: 0 },
  };
  await fillQueues(state);
  for (let event = 0; event < EVENTS; event += 1) await performRandomEvent(state);
  services.removeFaults();
  const before = await checkSpecOnly(state);
  const idempotent = await untilEmpty(state);
  await sendUndecidedAgain(state);
  const broken = [...before, ...idempotent, ...(await checkSpecOnly(state)), ...checkKeys(services)];
  return { broken: [...new Set(broken)], summary: summaryOf(state) };
}

function summaryOf({ idempotent, specOnly, kills, sentAgain, services }: RunState): string {
  const accepted = `${idempotent.orders.length} + ${specOnly.orders.length} accepted`;
  const killed = Object.entries(kills).map(([victim, times]) => `${victim} killed ${times} times`);
  const sends = `${services.gate.answered.length} + ${services.specOnly.received.length} requests received`;
  return [accepted, ...killed, sends, `${sentAgain.size} undecided`].join(', ');
}
