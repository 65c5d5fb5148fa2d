import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** CPU core for all threads of the servers. The load runs on another CPU core. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

export function describeMachine(): string {
  const [{ model } = { model: 'unknown processor' }] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${model.trim()}, ${cpus().length} cores, ${gigabytes} GB, ${process.platform}, Node ${process.versions.node}`;
}

/** @throws Error with an instruction to install missing tools */
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
