import { localOrigin, parseListenAddress, STANDARD_LISTEN } from './http/listen-address.ts';

// Asks the service that runs with the same settings whether it takes requests, and tells by the exit code: what a
// container's health check runs. A program of its own, since to load the whole service would cost more than to ask it.

const TIMEOUT = 4000;

/** A sentence on why no request should be sent there; null where they are taken. */
async function problemAt(origin: string): Promise<string | null> {
  const address = `${origin}/readyz`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT) }).catch(() => null);
  if (!answer) return `Nothing answers at ${address}.`;
  return answer.ok ? null : `${address} answers ${answer.status}.`;
}

const listen = parseListenAddress(process.env.TERSE_LISTEN || STANDARD_LISTEN);
const problem = listen ? await problemAt(localOrigin(listen)) : 'TERSE_LISTEN must be HOST:PORT.';
if (problem) process.stderr.write(`${problem}\n`);
process.exitCode = problem ? 1 : 0;
