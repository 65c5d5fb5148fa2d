import { setTimeout as pause } from 'node:timers/promises';
import { type ServeProcess, startServe } from '../../../backend/test/support/process.ts';
import { freePort } from '../../../backend/test/support/raw.ts';

/** A process of the service that can be killed and suspended. After a restart, it has the same addresses. */
export interface ServerProcess {
  api: string;
  short: string;
  /** Kills the process and starts it again after `downFor` milliseconds. */
  killAndStart(downFor: number): Promise<void>;
  /** Suspends the process for `milliseconds`, and then resumes it. */
  suspend(milliseconds: number): Promise<void>;
  /** Stops the process gracefully with SIGTERM and starts it again. */
  restart(): Promise<void>;
  kill(): Promise<void>;
}

export async function startServerProcess(folder: string, environment: Record<string, string>): Promise<ServerProcess> {
  const addresses = {
    TERSE_LISTEN: `127.0.0.1:${await freePort()}`,
    TERSE_SHORT_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  let running: ServeProcess = await startServe(folder, { ...environment, ...addresses });
  const { api, short } = running.addresses;
  const start = async () => {
    running = await startServe(folder, { ...environment, ...addresses });
  };
  const kill = async () => void (await running.end('SIGKILL'));
  return {
    api,
    short,
    kill,
    async killAndStart(downFor) {
      await kill();
      await pause(downFor);
      await start();
    },
    async suspend(milliseconds) {
      running.child.kill('SIGSTOP');
      await pause(milliseconds);
      running.child.kill('SIGCONT');
    },
    async restart() {
      await running.end('SIGTERM');
      await start();
    },
  };
}
