import type { Config } from '../config.ts';
import { systemRandom } from '../domain/random.ts';
import { createLog } from '../log.ts';
import { startService } from '../server.ts';
import { openStore } from '../store/open.ts';

/** Serves until SIGTERM or SIGINT, then stops cleanly. A second signal ends it at once. */
export async function serve(config: Config, version: string): Promise<void> {
  const clock = Date.now;
  const log = createLog((line) => process.stderr.write(line), clock);
  const store = await openStore(config.database, clock());
  const service = await startService({ config, store, clock, random: systemRandom, log, version }).catch(
    async (error) => {
      await store.close();
      throw error;
    },
  );
  log('info', 'listening', service.addresses);

  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  log('info', 'stopping', { signal });
  await service.stop();
  log('info', 'stopped');
}
