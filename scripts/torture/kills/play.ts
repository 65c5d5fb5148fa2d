import { chanceFrom } from '../chance.ts';
import type { Findings } from '../loop.ts';
import { checkKeys, checkSpecOnly, sendUndecidedAgain, untilEmpty } from './after.ts';
import { connect } from './connect.ts';
import { fillQueues, playEvent } from './events.ts';
import { type BrowserKind, type Player, startPlayer } from './player.ts';
import { type Services, startServices } from './services.ts';
import type { Story } from './story.ts';

const EVENTS = 30;

export async function playKills(kind: BrowserKind, seed: number): Promise<Findings> {
  const services = await startServices();
  try {
    const player = await startPlayer(kind);
    try {
      return await playStory(player, services, seed);
    } finally {
      await player.end();
    }
  } finally {
    await services.end();
  }
}

async function playStory(player: Player, services: Services, seed: number): Promise<Findings> {
  const { backend, gate, specOnly } = services;
  const story: Story = {
    chance: chanceFrom(seed),
    player,
    services,
    idempotent: { connectionId: await connect(player, gate.baseUrl, backend.apiKey), orders: [] },
    specOnly: { connectionId: await connect(player, specOnly.baseUrl, specOnly.apiKey), orders: [] },
    sentAgain: new Map(),
    kills: { background: 0, browser: 0, service: 0 },
  };
  await fillQueues(story);
  for (let event = 0; event < EVENTS; event += 1) await playEvent(story);
  services.removeFaults();
  const before = await checkSpecOnly(story);
  const idempotent = await untilEmpty(story);
  await sendUndecidedAgain(story);
  const broken = [...before, ...idempotent, ...(await checkSpecOnly(story)), ...checkKeys(services)];
  return { broken: [...new Set(broken)], played: summaryOf(story) };
}

function summaryOf({ idempotent, specOnly, kills, sentAgain, services }: Story): string {
  const accepted = `${idempotent.orders.length} + ${specOnly.orders.length} accepted`;
  const killed = Object.entries(kills).map(([victim, times]) => `${victim} killed ${times} times`);
  const sends = `${services.gate.answered.length} + ${services.specOnly.received.length} requests received`;
  return [accepted, ...killed, sends, `${sentAgain.size} undecided`].join(', ');
}
