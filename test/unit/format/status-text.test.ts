import { expect, test, vi } from 'vitest';
import { needsOtherUrl, statusAnnounced, statusMessage } from '../../../src/format/status-text.ts';
import type { ProblemCode } from '../../../src/queue/types.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const NOW = Date.UTC(2026, 2, 28, 9, 30);
const parked = { kind: 'waiting', reason: 'delayed', at: NOW + 60_000, guessed: true } as const;

test('the status of a delayed request contains its problem and the retry time', () => {
  const sentenceOf = (code: ProblemCode) => statusMessage(parked, { code, message: '' }, NOW);
  expect(sentenceOf('gateway_refused')).toBe('[wait_gateway_refused_at [whenMinutes 1]]');
  expect(sentenceOf('server_error')).toBe('[wait_delayed_at [whenMinutes 1]]');
  for (const code of ['throttled', 'busy'] as const) {
    expect(sentenceOf(code)).toBe('[wait_busy_at [whenMinutes 1]]');
    expect(statusAnnounced(parked, { code, message: '' })).toBe('[wait_busy]');
  }
});

test('only problems with the URL itself need another URL', () => {
  const needing = ['not_a_url', 'own_short_link', 'target_refused', 'invalid_url', 'url_too_long'];
  expect([...needing, 'storage_full', 'unauthorized', ''].filter(needsOtherUrl)).toEqual(needing);
});
