import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LinkedJournals, linkJournals } from '../../src/clicks/journal-backup.ts';
import { type Clicks, startClickCounting } from '../../src/clicks/start-click-counting.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { FIRST_ACCOUNT, type Store } from '../../src/store/interface/store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { identityOf, snapshot } from '../../src/store/sqlite/backup-copy.ts';
import { link, NOON } from '../support/store.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let folder: string;
let store: Store;
let id: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terse-snapshot-'));
  store = await openStore(at('terse.db'), NOON);
  id = (await store.links.create(FIRST_ACCOUNT, link(['linked']), NOON))?.id ?? 0;
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => ({ engine: 'sqlite', path: join(folder, name) }) as const;
const journals = () => join(folder, 'terse.db-clicks');

function start(): Promise<Clicks> {
  const config = {
    database: at('terse.db'),
    journalDirectory: null,
    trustedProxies: [],
    proxyHeader: 'x-forwarded-for' as const,
    countryHeader: null,
  };
  return startClickCounting({ config, store, clock: () => NOON, random: systemRandom, log: () => {} });
}

function click({ recorder }: Clicks, times: number): void {
  for (let index = 0; index < times; index += 1) {
    const socket = { remoteAddress: '203.0.113.1' };
    recorder.add(id, { rawHeaders: ['User-Agent', FIREFOX], socket } as IncomingMessage);
  }
  recorder.commit();
}

const hold = () => linkJournals([journals()], identityOf(join(folder, 'terse.db')));
const clicksIn = async ({ links }: Store) => (await links.find(FIRST_ACCOUNT, 'linked'))?.clicks;

/** Copies the database with its click journals, as a backup does. Returns the number of clicks in the copy. */
async function copied(held: LinkedJournals): Promise<number | undefined> {
  closeSync(openSync(join(folder, 'copy.db'), 'wx'));
  snapshot(join(folder, 'terse.db'), join(folder, 'copy.db'));
  const copy = await openStore(at('copy.db'), NOON);
  await held.countInto(copy.clicks);
  held.release();
  const clicks = await clicksIn(copy);
  await copy.close();
  return clicks;
}

describe('journals that a backup links', () => {
  it('are counted once if the service counts and deletes them before the copy is made', async () => {
    const clicks = await start();
    click(clicks, 5);
    const held = hold();
    await clicks.stop();
    expect(await copied(held)).toBe(5);
    expect(await clicksIn(store)).toBe(5);
  });

  it('are counted once if they end after the copy, or start and end before it', async () => {
    const first = await start();
    click(first, 5);
    const held = hold();
    const second = await start();
    click(second, 3);
    await second.stop();
    expect(await copied(held)).toBe(8);
    await first.stop();
    expect(await clicksIn(store)).toBe(8);
  });

  it('leave no files or progress records behind if they end after the backup', async () => {
    const clicks = await start();
    click(clicks, 5);
    hold().release();
    const [name = ''] = readdirSync(journals());
    await clicks.settle();
    const journal = name.slice(-16);
    expect(await store.clicks.progress(journal)).not.toBeNull();
    await clicks.stop();
    expect(await store.clicks.progress(journal)).toBeNull();
    expect(readdirSync(journals())).toEqual([]);
  });

  it('are released only by the backup that linked them', async () => {
    const clicks = await start();
    click(clicks, 5);
    const held = hold();
    const other = hold();
    await (await start()).stop();
    await clicks.stop();
    other.release();
    expect(await copied(held)).toBe(5);
    expect(readdirSync(journals())).toEqual([]);
  });
});
