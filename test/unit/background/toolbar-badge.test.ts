import { describe, expect, test, vi } from 'vitest';
import { badgeOf } from '../../../src/background/report-results.ts';
import type { Queue } from '../../../src/queue/types.ts';
import { aQueue, aRequest, sentRequest } from '../queue/support/queue-builders.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

describe('the badge', () => {
  const text = (...queues: Queue[]) => badgeOf(queues).text;
  const waiting = aQueue({ requests: [aRequest('a')] });
  const stuck = aQueue({ requests: [aRequest('f', { state: 'failed' }), aRequest('u', { state: 'uncertain' })] });

  test('is empty without open requests', () => {
    expect([text(), text(aQueue(), aQueue())]).toEqual(['', '']);
  });

  test('counts the open requests in all queues, up to ninety-nine', () => {
    expect(text(waiting, aQueue({ requests: [aRequest('b', { state: 'sending' })] }))).toBe('2');
    const many = (count: number) => aQueue({ requests: Array.from({ length: count }, (_, n) => aRequest(`r${n}`)) });
    expect([text(many(99)), text(many(50), many(50))]).toEqual(['99', '99+']);
  });

  test('prefers the count of requests that need the user, in another color', () => {
    expect(text(waiting, stuck, waiting)).toBe('2');
    expect(badgeOf([waiting, stuck]).color).not.toBe(badgeOf([waiting]).color);
  });

  test('counts all requests of a blocked queue that needs the user', () => {
    const requests = [aRequest('a'), aRequest('b'), aRequest('s', { state: 'sending' })];
    const halted = aQueue({ requests, state: { blocked: 'unauthorized' } });
    expect(badgeOf([waiting, halted])).toEqual({ ...badgeOf([stuck]), text: '2' });
  });

  test('counts requests that are retried automatically as open', () => {
    expect(badgeOf([aQueue({ requests: [sentRequest('u')] })])).toEqual(badgeOf([waiting]));
  });
});
