import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chanceFrom } from '../../scripts/torture/random-choices.ts';
import { type CutToCheck, checkCut } from './support/power/power-cut.ts';
import { answersIn } from './support/power/promises.ts';
import { recordSession, type Session } from './support/power/record-session.ts';

const REQUESTS = 12;
/** Number of simulated power cuts. `npm run torture` simulates one at each write. */
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
const NEVER = { start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY };
const lastCut = () => Math.max(...session.disk.cuts);

/**
 * Returns the positions of the flushes before which a power cut could lose confirmed changes: all flushes until the
 * first key exists, all flushes of each command, and the first flush after each response of the service.
 */
function findImportantFlushes(): number[] {
  const { disk, promises, backup, restore, move } = session;
  const commands = [backup, restore, move, ...promises.keys.flatMap(({ created, revoked }) => [created, revoked])];
  const firstEnd = Math.min(...promises.keys.map(({ created }) => created.end));
  const answers = answersIn(promises);
  const flushes = disk.flushes.toSorted((one, other) => one - other);
  return flushes.filter(
    (flush, index) =>
      flush < firstEnd ||
      commands.some(({ start, end }) => start < flush && flush < end) ||
      answers.some(({ at }) => (flushes[index - 1] as number) <= at && at < flush),
  );
}

describe('after a power failure', () => {
  it('all confirmed changes exist, even if the disk contains only flushed data', async () => {
    const flushes = findImportantFlushes();
    expect(flushes.length).toBeGreaterThan(50);
    // Between two flushes, the content of this disk does not change. The number of responses is highest directly
    // before the next flush.
    for (const at of [...flushes, lastCut()]) expect(await check(at, { fates: LOST }), `cut at ${at}`).toEqual([]);
  });

  it('all confirmed changes and no others exist, even if unflushed writes are missing or torn', async () => {
    const { cuts } = session.disk;
    expect(cuts.length).toBeGreaterThan(500);
    for (let number = 1; number <= CUTS; number += 1) {
      const at = cuts[Math.floor((cuts.length * number) / CUTS) - 1] as number;
      expect(await check(at), `cut at ${at}`).toEqual([]);
    }
  });

  it('no click is counted twice, even if removed files reappear', async () => {
    for (let times = 0; times < 30; times += 1)
      expect(await check(session.stopped, { fates: { files: 'kept', folders: 'mixed' } })).toEqual([]);
  });

  it('the service starts and stops, and all confirmed changes still exist', async () => {
    for (const at of [session.backup.start, session.stopped])
      expect(await check(at, { startsService: true }), `cut at ${at}`).toEqual([]);
  });

  it.each(['files', 'folders'] as const)('lost data is detected if the disk ignores flushes of %s', async (nodes) => {
    for (const at of [session.stopped, lastCut()]) {
      expect(await check(at, { fates: LOST })).toEqual([]);
      expect(await check(at, { fates: LOST, ignoredFlushes: { of: [nodes], since: 0 } })).not.toEqual([]);
    }
  });

  it('a lost move is detected if the disk ignores the flushes of the move', async () => {
    const ignoredFlushes = { of: ['files', 'folders'], since: session.move.start } as const;
    const broken = await check(lastCut(), { fates: LOST, ignoredFlushes });
    expect(broken).toEqual(['the old database can be used after the move']);
  });

  it('a key that was revoked without a request is detected', async () => {
    const { promises } = session;
    const changed = { ...promises, keys: promises.keys.map((key) => ({ ...key, revoked: NEVER })) };
    const broken = await checkCut({ ...session, promises: changed }, { at: lastCut(), random: chance.next });
    expect(broken).toEqual([expect.stringContaining('is revoked, but nobody has revoked it')]);
  });
});
