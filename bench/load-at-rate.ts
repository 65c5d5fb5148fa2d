import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LOAD_CORE } from './machine.ts';
import type { Sending, Sent } from './sender.ts';

const SENDER = fileURLToPath(new URL('./sender.ts', import.meta.url));

/** Sends requests to a server at a fixed rate, from a different CPU core than the server's. */
export async function loadAtRate(sending: Sending): Promise<Sent> {
  const args = ['-c', String(LOAD_CORE), process.execPath, SENDER];
  const sender = promisify(execFile)('taskset', args);
  sender.child.stdin?.end(JSON.stringify(sending));
  return JSON.parse((await sender).stdout);
}
