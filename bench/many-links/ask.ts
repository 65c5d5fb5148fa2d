import { Agent, request } from 'node:http';
import { percentile } from '../figures.ts';

interface Question {
  url: string;
  headers?: Record<string, string>;
  /** Expected status. By default, 200 or 302. */
  status?: number;
}

const TIMES = 1000;

/** Maximum time in milliseconds to spend on requests of one kind. */
const MAX_TIME = 20_000;

/**
 * Sends requests one after another over one connection.
 *
 * @param ask called with the index of each request
 * @returns number of requests, and the median and 99th percentile of the response times in milliseconds
 */
export async function timesOf(ask: (at: number) => Question): Promise<{ p50: number; p99: number; count: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const start = performance.now();
  for (let at = 0; at < TIMES && performance.now() - start < MAX_TIME; at += 1) {
    const question = ask(at);
    const before = performance.now();
    const status = await send(question, agent);
    times.push(performance.now() - before);
    const isExpected = question.status === undefined ? status === 200 || status === 302 : status === question.status;
    if (!isExpected) throw new Error(`${question.url} was answered with ${status}.`);
  }
  agent.destroy();
  return { p50: percentile(times, 50), p99: percentile(times, 99), count: times.length };
}

function send({ url, headers }: Question, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 0))
        .on('error', reject);
    });
    sent.on('error', reject).end();
  });
}
