import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import {
  type AcceptOptions,
  acceptRequests,
  type CleanCommand,
  hasOptions,
  isLive,
  NO_OPTIONS,
} from '../../../src/queue/accept.ts';
import type { Link, Request } from '../../../src/queue/types.ts';
import { aLink } from '../storage/stored.ts';
import { aQueue, aRequest, at, fullService, NOW } from './support/queue-builders.ts';

const DEFAULTS: AcceptOptions = {
  anew: false,
  options: null,
  source: 'popup',
  listId: null,
  expiry: 'never',
  saveTitles: false,
};
const CHOSEN = { ...NO_OPTIONS, title: 'Title' };
const command = (id: string, part: Partial<CleanCommand> = {}): CleanCommand => {
  return { id, url: `https://x.example/${id}`, title: `Page ${id}`, userInfoRemoved: false, ...part };
};
const accept = (commands: CleanCommand[], options: Partial<AcceptOptions> = {}, links: Link[] = [], queue = aQueue()) =>
  acceptRequests(queue, commands, { ...DEFAULTS, ...options }, links, at());
const WITH_TITLES = aQueue({ connection: fullService(FEATURE.links) });
const NOTHING = { requestIds: [], existing: [], refused: [], userInfoRemoved: false };

describe('a URL', () => {
  test('becomes a request with the details of its command', () => {
    const { queue, result, list } = accept([command('a')], { source: 'background' });
    expect(queue.requests).toMatchObject([
      {
        id: 'a',
        url: 'https://x.example/a',
        title: 'Page a',
        options: NO_OPTIONS,
        listId: null,
        source: 'background',
      },
    ]);
    expect(queue.requests[0]).not.toHaveProperty('defaultExpiry');
    expect([result, list]).toEqual([{ ...NOTHING, requestIds: ['a'] }, undefined]);
  });

  test('uses the options of the command, or else those of an active request or the default', () => {
    const active = aQueue({ requests: [aRequest('old', { options: CHOSEN, defaultExpiry: 'week' })] });
    const optionsAfter = (options: Partial<AcceptOptions>) => {
      const { requests } = accept([command('new')], options, [], aQueue()).queue;
      const request = requests.find(({ id }) => id === 'new');
      return request && [request.options, request.defaultExpiry];
    };
    expect(optionsAfter({ options: CHOSEN, expiry: 'day' })).toEqual([CHOSEN, undefined]);
    expect(optionsAfter({ expiry: 'day' })).toEqual([NO_OPTIONS, 'day']);
    const { url } = aRequest('old');
    expect(accept([command('new', { url })], {}, [], active).result.requestIds).toEqual(['old']);
  });

  test('sends the title of its page only if the user chose this', () => {
    const titleOf = (title: string, options: Partial<AcceptOptions>, queue = WITH_TITLES) =>
      accept([command('a', { title })], options, [], queue).queue.requests[0]?.options.title;
    expect(titleOf('A page', {})).toBeNull();
    expect(titleOf('A page', { saveTitles: true })).toBe('A page');
    expect(titleOf('', { saveTitles: true })).toBeNull();
    expect(titleOf('A page', { saveTitles: true, options: CHOSEN })).toBe(CHOSEN.title);
    expect(titleOf('A page', { saveTitles: true }, aQueue())).toBeNull();
  });

  test.each([
    ['without control characters', ' A\n\u0000 page\u007f ', 'A  page'],
    ['without lone surrogates', 'half \ud83e of a character', 'half \ufffd of a character'],
    ['of at most 300 characters', '🦦'.repeat(301), '🦦'.repeat(300)],
    ['or none', '\u0000', null],
  ])('has a title that servers accept, %s', (_, title, sent) => {
    const [request] = accept([command('a', { title })], { saveTitles: true }, [], WITH_TITLES).queue.requests;
    expect(request?.options.title).toBe(sent);
  });

  test('is refused if the service would refuse the URL, or if it is a known short URL', () => {
    const service = { name: 'A', shortBaseUrl: 'https://s.example', features: [], refusedTargets: ['private'] };
    const queue = aQueue({ connection: { ...fullService(), service: { ...service, maxUrlBytes: 30 } } });
    const commands = [
      command('short', { url: 'https://s.example/known' }),
      command('private', { url: 'http://10.1.2.3/' }),
      command('long', { url: `https://x.example/${'x'.repeat(30)}` }),
    ];
    const { queue: after, result } = accept(commands, { listId: 'list' }, [aLink('known')], queue);
    expect(after).toBe(queue);
    expect(result).toEqual({
      ...NOTHING,
      refused: [
        { orderId: 'short', code: 'own_short_link' },
        { orderId: 'private', code: 'target_refused' },
        { orderId: 'long', code: 'url_too_long' },
      ],
    });
  });

  test('is accepted if it is the short URL of an imported link, which may lead elsewhere by now', () => {
    const imported = aLink('known', { connectionId: null });
    const { result } = accept([command('short', { url: 'https://s.example/known' })], {}, [imported]);
    expect(result).toEqual({ ...NOTHING, requestIds: ['short'] });
  });

  test('is reported if user info was removed from it', () => {
    const commands = [command('a', { userInfoRemoved: true }), command('b')];
    expect(accept(commands).result.userInfoRemoved).toBe(true);
  });
});

describe('a new request', () => {
  test('comes last, with its id as idempotency key', () => {
    const { queue } = accept([command('a')], {}, [], aQueue({ requests: [aRequest('z')] }));
    expect(queue.requests.map(({ id }) => id)).toEqual(['z', 'a']);
    expect(queue.requests[1]).toEqual({
      id: 'a',
      listId: null,
      url: 'https://x.example/a',
      title: 'Page a',
      options: NO_OPTIONS,
      source: 'popup',
      connectionId: 'c',
      state: 'waiting',
      createdAt: NOW,
      idempotencyKey: 'a',
      attempts: 0,
      mayExist: false,
      retryAt: null,
      lookUpDue: false,
      maxBatch: 50,
      problem: null,
    });
  });

  test('is created later than the one before it', () => {
    const { queue } = accept([command('b'), command('a')]);
    expect(queue.requests.map(({ createdAt }) => createdAt)).toEqual([NOW, NOW + 0.001]);
  });

  test('has a title of at most 1,000 characters', () => {
    const [request] = accept([command('a', { title: 'é'.repeat(1_001) })]).queue.requests;
    expect(request?.title).toBe('é'.repeat(1_000));
  });

  const again = (request: Request, options: Partial<AcceptOptions> = { options: NO_OPTIONS }) => {
    const queue = aQueue({ requests: [request] });
    return accept([command('again', { url: request.url })], options, [], queue).result.requestIds;
  };

  test('is not added if a request has the same id, whatever its state', () => {
    for (const state of ['waiting', 'sending', 'failed', 'unknown', 'uncertain'] as const) {
      const before = aQueue({ requests: [aRequest('a', { state })] });
      expect(accept([command('a')], {}, [], before).queue).toBe(before);
    }
  });

  test.each(['waiting', 'sending', 'unknown'] as const)('is not added while the same request is %s', (state) => {
    expect(again(aRequest('a', { state }))).toEqual(['a']);
  });

  test.each(['failed', 'uncertain'] as const)('is added if the same request is %s', (state) => {
    expect(again(aRequest('a', { state }))).toEqual(['again']);
  });

  test('is added for other options', () => {
    expect(again(aRequest('a', { defaultExpiry: 'day' }))).toEqual(['again']);
    for (const part of [{ shortCode: 'mine' }, { title: 'T' }, { expiresAt: '2027-01-01T00:00:00Z' }])
      expect(again(aRequest('a'), { options: { ...NO_OPTIONS, ...part } })).toEqual(['again']);
    const tagged = aRequest('a', { options: { ...NO_OPTIONS, tags: ['birds'] } });
    for (const tags of [['birds', 'rivers'], ['Birds']])
      expect(again(tagged, { options: { ...NO_OPTIONS, tags } })).toEqual(['again']);
    expect(again(tagged, { options: { ...NO_OPTIONS, tags: ['birds'] } })).toEqual(['a']);
  });
});

describe('an existing link', () => {
  const found = (link: Partial<Link>, options: Partial<AcceptOptions> = {}, part: Partial<CleanCommand> = {}) =>
    accept([command('new', { url: 'https://x.example/a', ...part })], options, [aLink('a', link)]).result.existing;
  const existing = [{ orderId: 'new', linkId: 'a', shortUrl: 'https://s.example/a' }];

  test('is used instead of a new link', () => {
    expect(found({})).toEqual(existing);
    expect(found({}, { options: NO_OPTIONS })).toEqual(existing);
  });

  test('is not used if the user asked for a new link or chose options', () => {
    expect(found({}, { anew: true })).toEqual([]);
    expect(found({}, { options: CHOSEN })).toEqual([]);
  });

  test('is not used if it is expired, no longer listed, restricted, or of another connection', () => {
    expect(found({ expiresAt: NOW })).toEqual([]);
    expect(found({ expiresAt: NOW + 1 })).toEqual(existing);
    expect(found({ unlisted: true })).toEqual([]);
    expect(found({ isRestricted: true })).toEqual([]);
    expect(found({ connectionId: 'other' })).toEqual([]);
    expect(found({ connectionId: null })).toEqual([]);
    expect(isLive(aLink('a', { connectionId: null }), NOW)).toBe(false);
  });

  test('is used if the same command created it, even if the user asked for a new link', () => {
    const { result } = accept([command('a', { url: 'https://other.example/' })], { anew: true }, [aLink('a')]);
    expect(result.existing).toMatchObject([{ orderId: 'a', linkId: 'a' }]);
  });
});

describe('a list', () => {
  test('contains requests and existing links in the order of the user, without duplicates and refused URLs', () => {
    const commands = [
      command('b'),
      command('known', { url: 'https://x.example/a' }),
      command('again', { url: 'https://x.example/b' }),
      command('short', { url: 'https://s.example/a' }),
      command('c'),
    ];
    const { list, queue } = accept(commands, { listId: 'list' }, [aLink('a')]);
    expect(list).toEqual({ id: 'list', ids: ['b', 'a', 'c'], createdAt: NOW });
    expect(queue.requests.map(({ listId }) => listId)).toEqual(['list', 'list']);
  });

  test('is created for existing links alone, but not for refused URLs alone', () => {
    const known = command('new', { url: 'https://x.example/a' });
    expect(accept([known], { listId: 'list' }, [aLink('a')]).list?.ids).toEqual(['a']);
    const short = command('new', { url: 'https://s.example/a' });
    expect(accept([short], { listId: 'list' }, [aLink('a')]).list).toBeUndefined();
  });
});

test('a request has options if a short code, a title, an expiry date or tags are chosen', () => {
  expect(hasOptions(NO_OPTIONS)).toBe(false);
  for (const option of ['shortCode', 'title', 'expiresAt', 'tags']) {
    expect(hasOptions({ ...NO_OPTIONS, [option]: 'x' })).toBe(true);
  }
});
