import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure, median } from './figures.ts';
import { PORTS, startTerse } from './process.ts';

/** Milliseconds without requests before the memory is read. */
const REST_MS = 5_000;

/** Measures the time from the start of the service to its first answer, and its memory at rest. */
export async function measureStart(path: string, links: number, rounds: number): Promise<Figure[]> {
  const times: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    const starting = startTerse(`file:${path}`);
    while (!(await hasAnswered())) await sleep(2);
    times.push((performance.now() - start) / 1000);
    const server = await starting;
    await sleep(REST_MS);
    memory.push(server.memory());
    await server.stop();
  }
  return [
    atMost('start to the first answer', median(times), 1, ' s', 2),
    atMost(`memory at rest with ${links.toLocaleString('en')} links`, median(memory), 110, ' MB', 0),
  ];
}

function hasAnswered(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${PORTS.api}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
