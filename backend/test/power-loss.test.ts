import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chanceFrom } from '../../scripts/torture/random-choices.ts';
import { type CutToCheck, checkCut } from './support/power/check-cut.ts';
import { recordSession, type Session } from './support/power/record-session.ts';

const REQUESTS = 12;
/** Number of power cuts that are tried. `npm run torture` tries one at each write. */
const CUTS = 45;
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

const check = (at: number, more: Partial<CutToCheck> = {}) =>
  checkCut(session, { at, random: chance.next, ignoresFlushesOf: 'nothing', ...more });

describe('after a power failure', () => {
  it('everything that was answered is there, and nothing else, at moments from the first start to a move', async () => {
    const { cuts } = session.disk;
    expect(cuts.length).toBeGreaterThan(CUTS);
    for (let number = 1; number <= CUTS; number += 1) {
      const at = cuts[Math.floor((cuts.length - 1) * (number / CUTS))] as number;
      expect(await check(at), `cut at ${at}`).toEqual([]);
    }
  });

  it('the service starts and stops, and everything that was answered is still there', async () => {
    for (const at of [session.backup.start, session.restore.start])
      expect(await check(at, { startsService: true }), `cut at ${at}`).toEqual([]);
  });

  it.each(['files', 'folders'] as const)(
    'losses are found if the disk ignores flushes of %s',
    async (ignoresFlushesOf) => {
      const { move } = session;
      const broken: string[] = [];
      for (let times = 0; times < 6; times += 1) broken.push(...(await check(move.start, { ignoresFlushesOf })));
      expect(broken).not.toEqual([]);
    },
  );
});
