import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import { type CopyPlan, planCopy } from '../../../src/link-sync/plan-copy-to-server.ts';
import type { Connection, Link } from '../../../src/queue/types.ts';
import { ownShortUrls } from '../../../src/services/own-short-urls.ts';
import type { ServiceKind } from '../../../src/services/service-adapter.ts';
import { aQueue, DAY, NOW, specOnly } from '../queue/support/queue-builders.ts';
import { aLink } from '../storage/stored.ts';
import { terseAt } from '../support/terse-at.ts';

const to = (kind: ServiceKind): Connection => ({
  ...aQueue({ connection: specOnly }).connection,
  kind,
  service: { name: 'A', shortBaseUrl: 'https://s.example', features: [] },
});

const link = (shortCode: string, part: Partial<Link> = {}) =>
  aLink(shortCode, { shortCode, url: `https://x.example/${shortCode}`, title: 'A title', expiresAt: null, ...part });

const isOwn = ownShortUrls(terseAt('https://s.example', 'https://old.example'));

const plan = (links: Link[], kind: ServiceKind, known: Link[] = [], part: Partial<Connection> = {}) => {
  let ids = 0;
  return planCopy(links, { ...to(kind), ...part }, known, () => `id-${++ids}`, NOW, isOwn);
};
const LISTS = { service: { name: 'A', shortBaseUrl: 'https://s.example', features: [FEATURE.links] } };
const codesOf = ({ orders }: CopyPlan) => orders.map(({ options }) => options?.shortCode);

describe('copying links to another server', () => {
  test('keeps code, title and expiry if the server accepts them', () => {
    const found = plan([link('abc', { expiresAt: NOW + DAY, clicks: 3 })], 'kutt');
    const options = { shortCode: 'abc', title: 'A title', expiresAt: new Date(NOW + DAY).toISOString() };
    expect(found).toEqual({
      orders: [{ id: 'id-1', url: 'https://x.example/abc', title: 'A title', options }],
      ...{ skipped: 0, lostCodes: 0, lostTitles: 0, lostExpiries: 0, lostClicks: 3 },
    });
  });

  test('keeps the tags that the server accepts', () => {
    const tagged = [link('abc', { tags: ['birds', 'a,b', 'x'.repeat(51)] }), link('untagged', { tags: [] })];
    const tagsOn = (kind: ServiceKind) => plan(tagged, kind).orders.map(({ options }) => options?.tags);
    expect(tagsOn('shlink')).toEqual([['birds'], undefined]);
    expect(tagsOn('kutt')).toEqual([undefined, undefined]);
  });

  test('counts the codes, titles and expiries that the server cannot keep', () => {
    const links = [link('Mixed-Case'), link('abc', { expiresAt: NOW + DAY })];
    expect(plan(links, 'yourls')).toMatchObject({ lostCodes: 1, lostTitles: 0, lostExpiries: 1 });
    expect(plan(links, 'specification')).toMatchObject({ lostCodes: 2, lostTitles: 2, lostExpiries: 1 });
    expect(plan(links, 'yourls').orders.map(({ options }) => options?.shortCode)).toEqual([null, 'abc']);
  });

  test('skips links with a password or another restriction, which the copies would lack', () => {
    const found = plan([link('secret', { isRestricted: true }), link('open')], 'shlink');
    expect(found.orders.map(({ options }) => options?.shortCode)).toEqual(['open']);
    expect(found.skipped).toBe(1);
  });

  test('skips expired links and links that the server has already', () => {
    const links = [link('old', { expiresAt: NOW - 1 }), link('here'), link('taken'), link('new')];
    const known = [link('here'), link('taken', { url: 'https://other.example/' })];
    const found = plan(links, 'shlink', known);
    expect(found).toMatchObject({ skipped: 2, lostCodes: 1 });
    expect(found.orders.map(({ options }) => options?.shortCode)).toEqual([null, 'new']);
  });

  test('gives a new code to the second of two links with the same code', () => {
    const found = plan([link('a'), link('a', { id: 'b', url: 'https://x.example/b' })], 'kutt');
    expect(codesOf(found)).toEqual(['a', null]);
    expect(found.lostCodes).toBe(1);
  });

  test('gives a new code instead of one that is too long', () => {
    const links = [link('a'.repeat(255)), link('a'.repeat(256))];
    expect(codesOf(plan(links, 'shlink'))).toEqual(['a'.repeat(255), null]);
  });

  test('compares codes only with links on the domain of the copies', () => {
    const other = link('a', { shortUrl: 'https://a.example/a' });
    const same = link('a', { shortUrl: 'https://b.example/a' });
    for (const domain of ['a.example', 'b.example']) {
      const service = { name: 'A', shortBaseUrl: `https://${domain}`, features: [] };
      const found = [
        plan([link('a')], 'shlink', [other], { service }),
        plan([link('a')], 'shlink', [same], { service }),
      ];
      expect(found.map(({ skipped }) => skipped)).toEqual(domain === 'a.example' ? [1, 0] : [0, 1]);
    }
    expect(codesOf(plan([link('a')], 'kutt', [other], { domain: 'b.example' }))).toEqual(['a']);
    expect(plan([link('a')], 'kutt', [same], { domain: 'b.example' }).skipped).toBe(1);
    expect(plan([link('a')], 'chhoto', [other]).skipped).toBe(1);
    expect(plan([link('a')], 'kutt', [other], { service: null }).skipped).toBe(1);
  });

  test('skips URLs that the queue would refuse', () => {
    const urls = ['https://old.example/abc', `https://x.example/${'x'.repeat(8_192)}`, 'http://192.168.1.1/'];
    const service = { name: 'A', shortBaseUrl: 'https://s.example', features: [], refusedTargets: ['private'] };
    const found = plan(
      urls.map((url, index) => link(`l${index}`, { url })),
      'terse',
      [],
      { service },
    );
    expect(found).toMatchObject({ orders: [], skipped: 3 });
  });

  test.each<[ServiceKind, string, number, boolean]>([
    ['terse', 'x', 300, true],
    ['terse', 'x', 301, false],
    ['kutt', 'x', 255, true],
    ['kutt', 'x', 256, false],
    ['sink', 'x', 256, true],
    ['sink', 'x', 257, false],
    ['shlink', '語', 170, true],
    ['shlink', '語', 171, false],
    ['chhoto', 'Größe – “Crème”', 1, true],
    ['chhoto', 'Привет', 1, false],
  ])('reports if a title on %s is lost: %s × %i', (kind, text, times, isKept) => {
    expect(plan([link('abc', { title: text.repeat(times) })], kind, [], LISTS).lostTitles).toBe(isKept ? 0 : 1);
  });

  test('leaves out expiries that the server does not allow', () => {
    const soon = NOW + 4 * 365 * DAY;
    const links = [link('soon', { expiresAt: soon }), link('late', { expiresAt: NOW + 6 * 365 * DAY })];
    const found = plan(links, 'chhoto');
    expect(found.lostExpiries).toBe(1);
    expect(found.orders.map(({ options }) => options?.expiresAt)).toEqual([new Date(soon).toISOString(), null]);
    expect(plan(links, 'kutt').lostExpiries).toBe(0);
  });
});
