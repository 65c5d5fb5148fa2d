import { describe, expect, test, vi } from 'vitest';
import { badgeOf } from '../../../src/background/badge.ts';
import { anAttempt, aRequest, aSnapshot, fullService } from '../queue/given.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

describe('the badge', () => {
  const text = (parts: Parameters<typeof aSnapshot>[0]) => badgeOf(aSnapshot(parts)).text;
  const stuck = [aRequest('f', { state: 'failed' }), aRequest('u', { state: 'unknown' })];

  test('is empty when nothing is on its way', () => {
    expect(text({})).toBe('');
  });

  test('counts what is on its way, to ninety-nine', () => {
    expect(text({ requests: [aRequest('a'), aRequest('b', { state: 'sending' })] })).toBe('2');
    const many = (count: number) => Array.from({ length: count }, (_, n) => aRequest(`r${n}`));
    expect([text({ requests: many(99) }), text({ requests: many(100) })]).toEqual(['99', '99+']);
  });

  test('counts what needs the person before anything else, in another colour', () => {
    const requests = [aRequest('a'), ...stuck, aRequest('b')];
    expect(text({ requests })).toBe('2');
    expect(badgeOf(aSnapshot({ requests })).color).not.toBe(badgeOf(aSnapshot({ requests: [aRequest('a')] })).color);
  });

  test('counts everything that waits for the person to act', () => {
    const requests = [aRequest('a'), aRequest('b'), aRequest('s', { state: 'sending' })];
    const halted = badgeOf(aSnapshot({ requests, queue: { halt: 'unauthorized' } }));
    expect(halted).toEqual({ ...badgeOf(aSnapshot({ requests: stuck })), text: '2' });
  });

  test('counts what is sent again by itself as on its way', () => {
    const queue = { attempt: anAttempt(['u'], { inFlight: false }) };
    expect(text({ connection: fullService(), queue, requests: stuck })).toBe('1');
    const repeated = badgeOf(aSnapshot({ connection: fullService(), queue, requests: stuck.slice(1) }));
    expect(repeated).toEqual(badgeOf(aSnapshot({ requests: [aRequest('a')] })));
  });
});
