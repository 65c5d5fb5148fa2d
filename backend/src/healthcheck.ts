import { localOrigin, parseListenAddress, STANDARD_LISTEN } from './http/listen-address.ts';

// Entry point of the container's health check. Exits with status 0 if the service accepts requests. The main program
// takes too long to load for a health check.

const TIMEOUT = 4000;

/** Returns null if the service is ready, or an error message otherwise. */
async function problemAt(origin: string): Promise<string | null> {
  const address = `${origin}/readyz`;
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT) }).catch(() => null);
  if (!response) return `${address} does not respond.`;
  return response.ok ? null : `${address} responds with status ${response.status}.`;
}

const listen = parseListenAddress(process.env.TERSE_LISTEN || STANDARD_LISTEN);
const problem = listen ? await problemAt(localOrigin(listen)) : 'TERSE_LISTEN must be HOST:PORT.';
if (problem) process.stderr.write(`${problem}\n`);
// Exits with 78 for an invalid setting, like the main program.
process.exitCode = listen ? Number(problem !== null) : 78;
