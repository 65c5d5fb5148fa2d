import { afterEach, expect, it, vi } from 'vitest';
import { accountNameProblem, normalizeName } from '../../src/domain/accounts/names-invitations-sessions.ts';
import { verifyPassword } from '../../src/domain/accounts/passwords.ts';
import { codeInPath } from '../../src/domain/links/short-codes.ts';
import { surveyOf } from '../support/survey.ts';

const KB = 1024;
/** Many combining marks. Normalizing them takes quadratic time. */
const MARKS = `a${'\u0301\u0316'.repeat(60 * KB)}`;
afterEach(() => vi.restoreAllMocks());

it('slashes within a code are scanned once', async () => {
  const { preview } = await surveyOf(`url,code\nhttps://example.com/,a${'/'.repeat(200 * KB)}b\n`);
  expect(preview.problems).toMatchObject([{ problem: expect.stringContaining('255 characters') }]);
});

it('texts that are too long are not normalized', async () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  expect(accountNameProblem(normalizeName(MARKS))).toBe('A name can have at most 60 characters.');
  expect(codeInPath(MARKS)).toBeNull();
  expect(await verifyPassword(MARKS, null)).toBe(false);
  expect((await surveyOf(`url,code\nhttps://example.com/,${MARKS}\n`)).preview.ready).toBe(0);
  expect(Math.max(...normalize.mock.contexts.map((text) => String(text).length))).toBeLessThanOrEqual(KB);
});

it('a code with decomposed accents is composed', () => {
  const code = '\u1fa7'.repeat(255);
  expect(codeInPath(code.normalize('NFD'))).toBe(code);
});
