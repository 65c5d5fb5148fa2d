import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** CPU core on which all threads of the servers run. The load generator runs on another core. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

export function describeMachine(): string {
  const [{ model } = { model: 'unknown processor' }] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${model.trim()}, ${cpus().length} cores, ${gigabytes} GB, ${process.platform}, Node ${process.versions.node}`;
}

/**
 * Checks that the benchmark can run on this machine.
 *
 * @throws Error with instructions if a tool or a second CPU core is missing
 */
export function requireTools(): void {
  for (const [tool, install] of [
    ['wrk', 'apt-get install wrk'],
    ['taskset', 'apt-get install util-linux'],
  ] as const) {
    try {
      execFileSync('which', [tool], { stdio: 'ignore' });
    } catch {
      throw new Error(`The bench needs ${tool}. On Debian and Ubuntu: ${install}`);
    }
  }
  if (cpus().length < 2) throw new Error('The bench needs two cores: one for the server, one for the load.');
}
