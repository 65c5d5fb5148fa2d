import { locks } from 'node:worker_threads';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openNotificationTarget, reportResults } from '../../../src/background/report-results.ts';
import type { Finished, FinishedLink } from '../../../src/queue/result.ts';
import type { Request } from '../../../src/queue/types.ts';
import type { VisibleList } from '../../../src/storage/load-page-data.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../../src/storage/settings.ts';
import { aRequest } from '../queue/support/queue-builders.ts';
import { aLink } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const writeText = vi.fn(async (_text: string) => {});

beforeEach(() => {
  freshDisk();
  writeText.mockReset();
  vi.stubGlobal('navigator', { locks, clipboard: { writeText } });
});

function completedLink(id: string, waitedMs = 100, part: Partial<FinishedLink> = {}): FinishedLink {
  return { link: aLink(id), source: 'background', waitedMs, ...part };
}
const readList = vi.hoisted(() => vi.fn(async (_id: string): Promise<VisibleList | null> => null));
vi.mock('../../../src/storage/load-page-data.ts', () => ({ readList }));
const report = (part: Partial<Finished>, list: VisibleList | null = null) => {
  readList.mockResolvedValue(list);
  return reportResults({ links: [], stuck: [], listIds: [], ...part });
};
const completed = (links: FinishedLink[], stuck: Request[] = []) => report({ links, stuck });
const stuckRequest = (id: string, part: Partial<Request> = {}) =>
  aRequest(id, { state: 'failed', source: 'background', ...part });
const wantNotifications = () => writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
const openPopup = () => browser.runtime.getContexts.mockResolvedValue([{}]);
const notes = () => browser.notifications.create.mock.calls.map(([id, { title, message }]) => ({ id, title, message }));

describe('a created link', () => {
  test('is copied if the other links are old or were requested earlier', async () => {
    await completed([completedLink('a'), completedLink('old', 60_001)]);
    await completed([completedLink('b'), completedLink('c')]);
    await completed([completedLink('d'), completedLink('delayed', 3_000)]);
    expect(writeText.mock.calls.flat()).toEqual(['a', 'c', 'd'].map((id) => `https://s.example/${id}`));
  });

  test('is not copied after more than a minute, because the clipboard contains something else by then', async () => {
    await completed([completedLink('a', 60_000)]);
    await completed([completedLink('b', 60_001)]);
    expect(writeText).toHaveBeenCalledExactlyOnceWith('https://s.example/a');
  });

  test('is not copied if the user turned this off', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, autoCopy: false });
    await completed([completedLink('a')]);
    expect(writeText).not.toHaveBeenCalled();
  });

  test('is announced in a notification that says if it was copied, if the user chose notifications', async () => {
    await completed([completedLink('a')], [stuckRequest('s')]);
    expect(notes()).toEqual([]);
    await wantNotifications();
    await completed([completedLink('a', 90_000)]);
    await completed([completedLink('b')]);
    expect(notes()).toEqual([
      { id: 'a', title: '[notifyReady]', message: 'https://s.example/a' },
      { id: 'b', title: '[notifyCopied]', message: 'https://s.example/b' },
    ]);
  });

  test('that could not be copied is not announced as copied, and does not prevent later copies', async () => {
    await wantNotifications();
    vi.stubGlobal('navigator', {});
    await completed([completedLink('a')]);
    expect(notes()).toMatchObject([{ title: '[notifyReady]' }]);
    vi.stubGlobal('navigator', { locks, clipboard: { writeText } });
    writeText.mockRejectedValueOnce(new Error('not focused'));
    await completed([completedLink('b')]);
    await completed([completedLink('c')]);
    expect(notes().map(({ title }) => title)).toEqual(['[notifyReady]', '[notifyReady]', '[notifyCopied]']);
  });
});

describe('several results', () => {
  const ids = Array.from({ length: 50 }, (_, n) => `link-${n}`);

  test('share one notification', async () => {
    await wantNotifications();
    await completed(ids.map((id) => completedLink(id)));
    expect(notes()).toEqual([{ id: 'link-0', title: '[notifyManyReady__other 50]', message: '' }]);
  });

  test('that failed share one notification too', async () => {
    await wantNotifications();
    await completed(
      [],
      ids.map((id) => stuckRequest(id)),
    );
    expect(notes()).toEqual([{ id: 'link-0', title: '[notifyStuck]', message: '[notifyManyStuck__other 50]' }]);
  });
});

describe('a list', () => {
  const inList = (id: string) => completedLink(id, 100, { link: { ...aLink(id), listId: 'list' } });
  const list = { id: 'list', ids: ['a', 'b', 's'], createdAt: 0 };

  test('is announced once with its results when no request is left', async () => {
    await wantNotifications();
    await report({ links: [inList('a')] });
    expect(notes()).toEqual([]);
    const failed = stuckRequest('s', { listId: 'list' });
    await report(
      { links: [inList('b')], stuck: [failed], listIds: ['list'] },
      { list, links: [aLink('a'), aLink('b')] },
    );
    expect(notes()).toEqual([{ id: 'list=list', title: '[notifyGroup]', message: '[notifyGroupMade 2 3]' }]);
  });

  test('opens with a click on its notification; other notifications open nothing', async () => {
    await wantNotifications();
    await report({ listIds: ['list'] }, { list, links: [aLink('a')] });
    await report({ links: [completedLink('b', 100)] });
    for (const { id } of notes()) await openNotificationTarget(id);
    expect(browser.tabs.create.mock.calls).toEqual([
      [{ url: 'chrome-extension://abcdefgh/src/pages/queue/index.html?list=list' }],
    ]);
  });

  test('is not announced if it was deleted meanwhile, or the user wants no notifications', async () => {
    await report({ listIds: ['list'] }, { list, links: [] });
    await wantNotifications();
    await report({ listIds: ['list'] });
    expect(notes()).toEqual([]);
  });

  test('copies none of its links, even if they are created one by one', async () => {
    await report({ links: [inList('a')] });
    expect(writeText).not.toHaveBeenCalled();
  });

  test('does not suppress the notification about a blocked queue', async () => {
    await wantNotifications();
    const problem = { code: 'unauthorized' as const, message: '' };
    await report({ stuck: [stuckRequest('a', { listId: 'list', state: 'waiting', problem })] });
    expect(notes().map(({ id }) => id)).toEqual(['a']);
  });
});

describe('while the popup is open', () => {
  test('results of requests from the popup are neither copied nor announced', async () => {
    await wantNotifications();
    openPopup();
    await completed([completedLink('a', 100, { source: 'popup' })], [stuckRequest('s', { source: 'popup' })]);
    expect(writeText).not.toHaveBeenCalled();
    expect(notes()).toEqual([]);
  });

  test('results of other requests are still copied and announced', async () => {
    await wantNotifications();
    openPopup();
    await completed([completedLink('a'), completedLink('b', 100, { source: 'popup' })], [stuckRequest('s')]);
    expect(writeText).toHaveBeenCalledExactlyOnceWith('https://s.example/a');
    expect(notes().map(({ id }) => id)).toEqual(['a', 's']);
  });

  test('and after the popup has closed, results of its requests are copied and announced', async () => {
    await wantNotifications();
    await completed([completedLink('a', 100, { source: 'popup' })], [stuckRequest('s', { source: 'popup' })]);
    expect(writeText).toHaveBeenCalledTimes(1);
    expect(notes().map(({ id }) => id)).toEqual(['a', 's']);
  });
});

describe('a request that needs the user', () => {
  const problem = { code: 'invalid_url' as const, message: '<b>No.</b>' };
  beforeEach(wantNotifications);

  test('is announced with its title or URL, and the reason', async () => {
    await completed([], [stuckRequest('s', { problem })]);
    await completed([], [stuckRequest('t', { title: '', state: 'uncertain' })]);
    expect(notes()).toEqual([
      { id: 's', title: '[notifyStuck]', message: 'Page s\n[problem_invalid_url]' },
      { id: 't', title: '[notifyStuck]', message: 'https://x.example/t\n' },
    ]);
  });
});
