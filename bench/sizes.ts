import { sizeOf } from './database.ts';
import { atMost, type Figure, median, plain } from './figures.ts';
import { load, visits } from './load.ts';
import { lookUpTime, TOGETHER } from './lookups.ts';
import { PORTS, type Server, startTerse } from './process.ts';

export interface SizeOptions {
  folder: string;
  few: Filled;
  many: Filled;
  seconds: number;
  rounds: number;
  processes: number;
  tell(text: string): void;
}

interface Filled {
  path: string;
  links: number;
}

/**
 * Number of warm-up rounds. During these rounds, the code is compiled, and nearly every page of a database file with
 * ten million links is read.
 */
const WARM_UP = 3;

type Method = 'GET' | 'HEAD';

/**
 * Compares a service that has many links with a service that has few links. The two services are measured
 * alternately. Lookups are measured with several processes of each service, because two processes of the same program
 * can differ in speed by up to an eighth.
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
  const run = async (port: number, links: number, method: Method) =>
    (await load({ port, folder, seconds: seconds / 2, requests: visits(links, method) })).rate;
  const pair = async (method: Method) => ({
    few: await run(PORTS.short, few.links, method),
    many: await run(PORTS.otherShort, many.links, method),
  });

  const lookUps: Pair[] = [];
  for (let process = 1; process <= processes; process += 1) {
    tell(`any link, looked up, processes ${process} of ${processes}`);
    const services = await start();
    await inTurn(WARM_UP, () => pair('HEAD'));
    lookUps.push(...(await inTurn(rounds, () => pair('HEAD'))));
    await stop(services);
  }
  const services = await start();
  const atRest = services.many.memory();
  tell('any link, visited');
  await inTurn(WARM_UP, () => pair('HEAD'));
  const visited = await inTurn(2 * rounds, () => pair('GET'));
  const after = services.many.memory();
  await stop(services);
  tell('any link, visited while no other service counts');
  const alone = { few: await visitAlone(few, options), many: await visitAlone(many, options) };

  const [fewLinks, links] = [few.links.toLocaleString('en'), many.links.toLocaleString('en')];
  const rate = (pairs: Pair[], which: keyof Pair) => median(pairs.map((one) => one[which]));
  const ratio = rate(lookUps, 'few') / rate(lookUps, 'many');
  return [
    plain(`look-up in the store among ${fewLinks} links, ${TOGETHER} together`, `${fewTime.toFixed(2)} µs`),
    plain(`look-up in the store among ${links} links, ${TOGETHER} together`, `${manyTime.toFixed(2)} µs`),
    plain(`look-ups answered a second (HEAD), any of ${fewLinks} links`, rate(lookUps, 'few').toFixed(0)),
    plain(`look-ups answered a second (HEAD), any of ${links} links`, rate(lookUps, 'many').toFixed(0)),
    atMost(`a link among ${links} to one among ${fewLinks}`, ratio, 1.5, ' times', 2),
    plain(`counted redirects a second (GET), any of ${fewLinks} links`, rate(visited, 'few').toFixed(0)),
    plain(`counted redirects a second (GET), any of ${links} links`, rate(visited, 'many').toFixed(0)),
    atMost(
      `a click on one of ${links} to one on one of ${fewLinks}`,
      rate(visited, 'few') / rate(visited, 'many'),
      1.6,
      ' times',
      2,
    ),
    plain(
      'the same by processor time, counting included to the last click',
      `${(alone.many / alone.few).toFixed(2)} times`,
    ),
    atMost('disk a link, its URL of 70 bytes included', sizeOf(many.path) / many.links, 200, ' bytes', 0),
    atMost(`memory with ${links} links, at rest`, atRest.resident, 150, ' MB', 0),
    atMost('memory of its own after those loads', after.own, 150, ' MB', 0),
    plain('the same with the pages of files it has mapped', `${after.resident.toFixed(0)} MB`),
  ];
}

/**
 * Returns the CPU time per visit in seconds, including click counting. No other service runs during the measurement.
 */
async function visitAlone({ path, links }: Filled, { folder, seconds }: SizeOptions): Promise<number> {
  const server = await startTerse(path);
  const run = (length: number, method: Method) =>
    load({ port: PORTS.short, folder, seconds: length, requests: visits(links, method) });
  // Warms up with HEAD requests, because the service does not count them as clicks.
  await run(seconds, 'HEAD');
  const before = server.processorTime();
  const { answers } = await run(2 * seconds, 'GET');
  return ((await server.stop()) - before) / answers;
}

/** Responses per second from a service with few links and from a service with many links. */
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
