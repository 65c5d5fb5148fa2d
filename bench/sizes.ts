import { sizeOf } from './database.ts';
import { atMost, type Figure, median, plain } from './figures.ts';
import { load, visits } from './load.ts';
import { lookUpTime, TOGETHER } from './lookups.ts';
import { type Memory, PORTS, type Server, startTerse } from './process.ts';
import { LEAD, type Measured, measured } from './redirects.ts';

export interface SizeOptions {
  folder: string;
  few: Filled;
  many: Filled;
  seconds: number;
  rounds: number;
  processes: number;
  tell(text: string): void;
}

/** A database, and how many links it was filled with. */
interface Filled {
  path: string;
  links: number;
}

/** So many rounds touch nearly every page of a file that holds ten million links, and compile what is run. */
const WARM_UP = 3;

/**
 * What a service with many links costs beside one with few, by turns, so that both meet the same machine. Two processes
 * of one program differ by an eighth, and stay so, so looking up is measured with several of each.
 */
export async function measureSizes(options: SizeOptions): Promise<Figure[]> {
  const { folder, few, many, seconds, rounds, processes, tell } = options;
  tell('look-ups in the store');
  const fewTime = await lookUpTime(few.path, few.links);
  const manyTime = await lookUpTime(many.path, many.links);

  const start = async () => ({
    few: await startTerse(few.path),
    many: await startTerse(many.path, PORTS.otherApi, PORTS.otherShort),
  });
  const run = async (port: number, links: number) =>
    (await load({ port, folder, seconds: seconds / 2, requests: visits(links, 'HEAD') })).rate;
  const pair = async () => ({
    few: await run(PORTS.short, few.links),
    many: await run(PORTS.otherShort, many.links),
  });

  const lookUps: Pair[] = [];
  for (let process = 1; process <= processes; process += 1) {
    tell(`any link, looked up, processes ${process} of ${processes}`);
    const services = await start();
    await inTurn(WARM_UP, pair);
    lookUps.push(...(await inTurn(rounds, pair)));
    await stop(services);
  }
  const visited = { few: [] as Visited[], many: [] as Visited[] };
  for (let round = 1; round <= rounds; round += 1) {
    tell(`any link, visited, round ${round} of ${rounds}`);
    visited.few.push(await visit(few, options));
    visited.many.push(await visit(many, options));
  }

  const [fewLinks, links] = [few.links.toLocaleString('en'), many.links.toLocaleString('en')];
  const rate = (pairs: Pair[], which: keyof Pair) => median(pairs.map((one) => one[which]));
  const ratio = rate(lookUps, 'few') / rate(lookUps, 'many');
  const of = (which: keyof typeof visited, field: keyof Visited) => median(visited[which].map((one) => one[field]));
  return [
    plain(`look-up in the store among ${fewLinks} links, ${TOGETHER} together`, `${fewTime.toFixed(2)} µs`),
    plain(`look-up in the store among ${links} links, ${TOGETHER} together`, `${manyTime.toFixed(2)} µs`),
    plain(`look-ups answered a second (HEAD), any of ${fewLinks} links`, rate(lookUps, 'few').toFixed(0)),
    plain(`look-ups answered a second (HEAD), any of ${links} links`, rate(lookUps, 'many').toFixed(0)),
    atMost(`a link among ${links} to one among ${fewLinks}`, ratio, 1.5, ' times', 2),
    plain(`counted redirects a second (GET), any of ${fewLinks} links`, of('few', 'rate').toFixed(0)),
    plain(`counted redirects a second (GET), any of ${links} links`, of('many', 'rate').toFixed(0)),
    atMost(
      `a click on one of ${links} to one on one of ${fewLinks}`,
      of('few', 'rate') / of('many', 'rate'),
      1.6,
      ' times',
      2,
    ),
    plain('the same by processor time', `${(of('many', 'timeEach') / of('few', 'timeEach')).toFixed(2)} times`),
    atMost('disk a link, its URL of 70 bytes included', sizeOf(many.path) / many.links, 200, ' bytes', 0),
    atMost(`memory with ${links} links, at rest`, of('many', 'atRest'), 150, ' MB', 0),
    atMost('memory of its own after those loads', of('many', 'own'), 150, ' MB', 0),
    plain('the same with the pages of files it has mapped', `${of('many', 'resident').toFixed(0)} MB`),
  ];
}

/** Of a service that was alone under load: answers a second, seconds of processor time for each, and megabytes. */
interface Visited extends Measured, Memory {
  atRest: number;
}

/**
 * Visits a service whose clicks are counted meanwhile. Counting comes in portions seconds apart and takes its turn on the
 * same processor, so a service is measured for longer, and while no other one counts what it was asked before.
 */
async function visit({ path, links }: Filled, { folder, seconds }: SizeOptions): Promise<Visited> {
  const server = await startTerse(path);
  const { resident: atRest } = server.memory();
  let memory = server.memory();
  const result = await measured(server, LEAD.terse, 3 * seconds, async (length) => {
    const loaded = await load({ port: PORTS.short, folder, seconds: length, requests: visits(links) });
    memory = server.memory();
    return loaded;
  });
  return { ...result, ...memory, atRest };
}

/** Answers a second. */
interface Pair {
  few: number;
  many: number;
}

async function inTurn<Result>(times: number, run: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let time = 0; time < times; time += 1) results.push(await run());
  return results;
}

const stop = (services: Record<string, Server>) =>
  Promise.all(Object.values(services).map((service) => service.stop()));
