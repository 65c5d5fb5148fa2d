import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCut } from '../../backend/test/support/power/power-cut.ts';
import { recordSession } from '../../backend/test/support/power/record-session.ts';
import { chanceFrom } from './random-choices.ts';
import type { RandomTest } from './random-tests.ts';

/**
 * Number of simulated power cuts between two starts of the service. Most power cuts are checked without a start,
 * because each start takes a second.
 */
const SERVICE_INTERVAL = 250;

/**
 * Number of failed checks after which a run ends. Each check examines the data that is left after one simulated power
 * cut.
 */
const MAX_FAILED = 10;

/**
 * Records what the service and its commands write to disk, and simulates a power cut before each write. The disk's
 * content after a power cut is chosen at random from all possible contents.
 */
export const powerLosses: RandomTest = {
  name: 'power-loss',
  async run(seed) {
    const chance = chanceFrom(seed);
    const folder = mkdtempSync(join(tmpdir(), 'terse-power-'));
    try {
      const session = await recordSession(folder, chance.next, chance.between(5, 30));
      const { cuts, flushes } = session.disk;
      const broken: string[] = [];
      let failed = 0;
      let tried = 0;
      for (const [index, at] of cuts.entries()) {
        const startsService = index % SERVICE_INTERVAL === SERVICE_INTERVAL - 1;
        const messages = await checkCut(session, { at, random: chance.next, startsService });
        broken.push(...messages.map((message) => `power cut ${index} of ${cuts.length}: ${message}`));
        tried += 1;
        failed += messages.length > 0 ? 1 : 0;
        if (failed === MAX_FAILED) break;
      }
      const links = `${session.promises.links.length} links`;
      return { broken, summary: `${links}, ${cuts.length} writes, ${flushes.length} flushes, ${tried} power cuts` };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
