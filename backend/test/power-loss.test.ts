import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chanceFrom } from '../../scripts/torture/random-choices.ts';
import { type CutToCheck, checkCut } from './support/power/check-cut.ts';
import { recordSession, type Session } from './support/power/record-session.ts';

const REQUESTS = 12;
/** Number of power cuts that are tried. `npm run torture` tries one at each write. */
const CUTS = 30;
const chance = chanceFrom(9);

let folder: string;
let session: Session;
beforeAll(async () => {
  folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'terse-power-'));
  session = await recordSession(folder, chance.next, REQUESTS);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const check = (at: number, more: Partial<CutToCheck> = {}) => checkCut(session, { at, random: chance.next, ...more });
const LOST = { files: 'lost', folders: 'lost' } as const;

/** Returns positions of power cuts, evenly spaced between two positions. */
function spaced(count: number, from: number, to: number): number[] {
  const cuts = session.disk.cuts.filter((at) => at > from && at <= to);
  expect(cuts.length).toBeGreaterThan(count);
  return Array.from({ length: count }, (_, index) => cuts[Math.floor(((index + 1) * cuts.length) / count) - 1] ?? to);
}

describe('after a power failure', () => {
  it('everything that was answered is there and nothing else, from the first start of the service to a move', async () => {
    for (const [index, at] of spaced(CUTS, 0, session.move.end).entries())
      expect(await check(at, index % 2 ? { fates: LOST } : {}), `cut at ${at}`).toEqual([]);
  });

  it('at least one of the databases is complete, if the power failed near the end of a move', async () => {
    const { start, end } = session.move;
    for (const at of spaced(12, (start + end) / 2, end))
      expect(await check(at, { fates: LOST }), `cut at ${at}`).toEqual([]);
  });

  it('no click is counted twice, even if removed files are there again', async () => {
    for (let times = 0; times < 15; times += 1)
      expect(await check(session.stopped, { fates: { files: 'kept', folders: 'mixed' } })).toEqual([]);
  });

  it('the service starts and stops, and everything that was answered is still there', async () => {
    for (const at of [session.backup.start, session.stopped])
      expect(await check(at, { startsService: true }), `cut at ${at}`).toEqual([]);
  });

  it.each(['files', 'folders'] as const)('losses are found if the disk ignores flushes of %s', async (nodes) => {
    expect(await check(session.stopped, { fates: LOST })).toEqual([]);
    expect(await check(session.stopped, { fates: LOST, ignoresFlushesOf: nodes })).not.toEqual([]);
  });
});
