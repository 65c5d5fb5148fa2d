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
const lastCut = () => Math.max(...session.disk.cuts);
const LOST = { files: 'lost', folders: 'lost' } as const;

describe('after a power failure', () => {
  it('everything that was answered is there, even if the disk contains only what was flushed', async () => {
    const { flushes } = session.disk;
    expect(flushes.length).toBeGreaterThan(50);
    // Between two flushes, such a disk does not change. The most answers were sent directly before the next flush.
    for (const at of [...flushes, lastCut()]) expect(await check(at, { fates: LOST }), `cut at ${at}`).toEqual([]);
  });

  it('everything that was answered is there and nothing else, if other writes are missing or torn', async () => {
    const { cuts } = session.disk;
    expect(cuts.length).toBeGreaterThan(500);
    for (let number = 1; number <= CUTS; number += 1) {
      const at = cuts[Math.floor((cuts.length * number) / CUTS) - 1] as number;
      expect(await check(at), `cut at ${at}`).toEqual([]);
    }
  });

  it('no click is counted twice, even if removed files are there again', async () => {
    for (let times = 0; times < 30; times += 1)
      expect(await check(session.stopped, { fates: { files: 'kept', folders: 'mixed' } })).toEqual([]);
  });

  it('the service starts and stops, and everything that was answered is still there', async () => {
    for (const at of [session.backup.start, session.stopped])
      expect(await check(at, { startsService: true }), `cut at ${at}`).toEqual([]);
  });

  it.each(['files', 'folders'] as const)('losses are found if the disk ignores flushes of %s', async (nodes) => {
    expect(await check(session.stopped, { fates: LOST })).toEqual([]);
    expect(await check(session.stopped, { fates: LOST, ignoredFlushes: { of: [nodes], since: 0 } })).not.toEqual([]);
  });

  it('a move that was lost is found if the disk ignores its flushes', async () => {
    const since = session.move.start;
    const lost = { fates: LOST, ignoredFlushes: { of: ['files', 'folders'], since } } as const;
    expect(await check(lastCut(), lost)).toEqual(['the old database can be used after the move']);
  });

  it('a key that is revoked before anybody asked for it is found', async () => {
    const { promises } = session;
    const never = { start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY };
    const keys = promises.keys.map((key) => ({ ...key, revoked: never }));
    const changed = { ...session, promises: { ...promises, keys } };
    const broken = await checkCut(changed, { at: lastCut(), random: chance.next, fates: LOST });
    expect(broken).toEqual([expect.stringContaining("is revoked, but nobody had revoked it")]);
  });
});
