import { createHash } from 'node:crypto';
import { chanceFrom } from '../../../../scripts/torture/random-choices.ts';
import { createBackground } from '../../../../src/background/create-background.ts';
import type { Request, VisibleQueues } from '../../../../src/queue/types.ts';
import { Agenda, PendingWork } from './agenda.ts';
import { Computer } from './computer.ts';
import { diskNow } from './disk-now.ts';
import { abortTransactions, enter, type Surroundings } from './globals.ts';
import { Network } from './network.ts';
import { Promises } from './promises.ts';
import { type HttpRequest, Service } from './service.ts';
import { tell } from './tell-background.ts';
import { User } from './user.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 28, 9, 30);
/** Number of days without faults within which everything must end. */
const CALM_DAYS = 12;

/** Rules that a simulation can break on purpose, to prove that its checks detect this. */
export type Sabotage =
  | 'client generates a new key and code for each send'
  | 'service forgets idempotency keys and chooses all codes'
  | 'service has no limits'
  | 'disk loses sends';

export interface SimulationOptions {
  days: number;
  /** Rule to break. The simulation then ends as soon as this promise is broken. */
  sabotage?: { rule: Sabotage; promise: string };
  /** Called with a line of text for each event. */
  onEvent?: (line: string) => void;
}

export interface Simulation {
  /** Hash of everything that was sent, answered, requested and stored. */
  hash: string;
  /** Broken promises to the users. */
  broken: string[];
  counts: Promises['counts'] & { orders: number; deaths: number };
}

/** Simulates one or two users with one API key and a service. All random choices come from the seed. */
export async function simulate(
  seed: number,
  { days, sabotage, onEvent = () => {} }: SimulationOptions,
): Promise<Simulation> {
  const chance = chanceFrom(seed);
  const hash = createHash('sha256');
  const agenda = new Agenda(START);
  const work = new PendingWork();
  const trace = (text: string) => {
    const line = `${new Date(agenda.now).toISOString()} ${text}\n`;
    hash.update(line);
    onEvent(line);
  };
  let serviceError = 0;
  const serviceTime = () => agenda.now + serviceError;

  const surroundings = {} as Surroundings;
  const enterComputer = (computer: Computer) => enter({ ...surroundings, computer });
  const look = <T>(computer: Computer, read: () => T): T => {
    enterComputer(computer);
    return read();
  };
  const parts = {
    agenda,
    work,
    chance: chance.next,
    create: createBackground,
    enter: (computer: Computer, run: () => void) => look(computer, run),
    onSettled: (computer: Computer) => {
      if (computer.takeCommitted()) look(computer, () => promises.diskChanged(computer));
    },
  };
  const names = chance.next() < 0.6 ? ['one', 'two'] : ['one'];
  const computers = names.map((name) => new Computer({ ...parts, name }));
  const [first] = computers as [Computer];
  for (const { gate } of computers) gate.died = () => abortTransactions();
  const fetch: Surroundings['fetch'] = (computer, url, init) => network.fetch(computer, url, init);
  Object.assign(surroundings, {
    computer: first,
    chance,
    work,
    fetch,
    losesSends: sabotage?.rule === 'disk loses sends',
  });
  enterComputer(first);

  const service = await Service.start({
    clock: serviceTime,
    random: (count) => Uint8Array.from({ length: count }, () => chance.between(0, 255)),
    work,
    hasFewCodes: chance.next() < 0.3,
    forgetsKeys: sabotage?.rule === 'service forgets idempotency keys and chooses all codes',
    hasNoLimits: sabotage?.rule === 'service has no limits',
  });
  const promises = new Promises(service, serviceTime);
  let sends = 0;
  const network = new Network({
    service,
    chance,
    trace,
    onDeparture(computer, request) {
      promises.departed(computer, request);
      sends += 1;
      return sabotage?.rule.startsWith('client') ? renamed(request, sends) : request;
    },
    onArrival(computer, request, answer) {
      trace(`${computer.name} ${request.path} ${answer.status} ${answer.body}`);
      if (request.method === 'POST') promises.arrived(request, answer);
    },
  });
  const users = computers.map(
    (computer) =>
      new User({
        computer,
        chance,
        network,
        promises,
        trace,
        isBusy: chance.next() < 0.3,
        look: (read) => look(computer, read),
      }),
  );

  try {
    const apiKey = await service.newKey();
    for (const user of users) await user.connect(apiKey);
    await agenda.runUntil(agenda.now + MINUTE);
    const absentUntil = new Map<User, number>();
    for (let day = 0; day < days; day += 1) {
      for (const user of users) {
        if (chance.next() < 0.004) absentUntil.set(user, day + 32);
        if (day >= (absentUntil.get(user) ?? 0)) user.planDay();
      }
      // Both users sometimes shorten a page in the same second, so that one of them is limited because of the other.
      const meeting = agenda.now + chance.between(0, DAY);
      if (chance.next() < 0.05) for (const user of users) agenda.add(meeting, () => user.shortenOne());
      if (chance.next() < 0.03) agenda.add(agenda.now + chance.between(0, DAY), setServiceClock);
      agenda.add(agenda.now + chance.between(0, DAY), () => service.runMaintenance());
      await agenda.runUntil(agenda.now + DAY);
      if (sabotage && [...promises.broken].some((text) => text.startsWith(sabotage.promise))) break;
    }
    if (!sabotage) await calmDown();
    for (const computer of computers) hash.update(look(computer, () => diskNow().text()));
  } finally {
    await service.stop();
  }

  function setServiceClock(): void {
    const before = serviceTime();
    const jump = chance.pick([
      -2 * SECOND,
      2 * SECOND,
      -5 * MINUTE,
      5 * MINUTE,
      -3 * HOUR,
      3 * HOUR,
      DAY,
      -DAY,
    ] as const);
    serviceError = serviceError === 0 ? jump : 0;
    promises.serviceClockSet(before, serviceTime());
    trace(`the service's clock is wrong by ${serviceError}`);
  }

  async function calmDown(): Promise<void> {
    await agenda.runUntil(agenda.now + DAY);
    for (const user of users) await user.recover();
    await calmDays();
    await checkEnd();
    for (const user of users) {
      await user.keepOn(HOUR);
      await user.tryAgain();
    }
    await calmDays();
    await checkEnd();
    promises.allEnded(new Set(computers.flatMap((computer) => look(computer, requestIds))));
  }

  async function calmDays(): Promise<void> {
    for (let day = 0; day < CALM_DAYS && computers.some((computer) => look(computer, isBusy)); day += 1) {
      for (const user of users) await user.keepOn(HOUR);
      await agenda.runUntil(agenda.now + DAY);
    }
  }

  async function checkEnd(): Promise<void> {
    for (const [index, user] of users.entries()) {
      const computer = computers[index] as Computer;
      await user.keepOn(MINUTE);
      await tell(computer, { type: 'read-queues' }, (view) => promises.ended(computer, view as VisibleQueues));
    }
  }

  const deaths = computers.reduce((sum, { life }) => sum + life, 0);
  const counts = { ...promises.counts, orders: promises.orders.size, deaths };
  return { hash: hash.digest('hex'), broken: [...promises.broken], counts };
}

/** True if requests on the current computer wait for something other than the user. */
function isBusy(): boolean {
  const { queues, requests } = diskNow();
  const isBlocked = new Set(queues.flatMap(({ connection, state }) => (state.blocked ? [connection.id] : [])));
  const isEnded = ({ state }: Request) => state === 'failed' || state === 'uncertain';
  return requests.some((request) => !isEnded(request) && !isBlocked.has(request.connectionId ?? ''));
}

function requestIds(): string[] {
  return diskNow().requests.map(({ id }) => id);
}

/**
 * Returns the request with a new idempotency key and new short codes, like a client that generates them for each
 * send.
 */
function renamed(request: HttpRequest, sends: number): HttpRequest {
  const body = (request.body ?? '').replaceAll(/"(shortCode|idempotencyKey)":"[^"]*"/g, (_, name) => {
    const value = name === 'shortCode' ? `new-code-${sends}` : `new-key-of-item-${sends}`;
    return `"${name}":"${value}"`;
  });
  return { ...request, headers: { ...request.headers, 'idempotency-key': `new-key-${sends}` }, body };
}
