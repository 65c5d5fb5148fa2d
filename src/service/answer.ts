import { BatchAnswer, HEADER, type Limits, parseRateLimit, parseRetryAfter, ShortenAnswer } from '@terse/contract';
import type { ItemOutcome, Outcome } from '../queue/outcome.ts';
import type { Attempt } from '../queue/types.ts';
import { readJson } from './body.ts';
import { readRefusal } from './refusal.ts';

const NOT_UNDERSTOOD: ItemOutcome = { kind: 'unclear', code: 'not_understood', message: '' };

/** What the header fields of any answer tell: the service's time (milliseconds, whole seconds) and its limits. */
export function readTold(headers: Headers): { date: number | null; limits: Limits } {
  const date = Date.parse(headers.get('Date') ?? '');
  return {
    date: Number.isNaN(date) ? null : date,
    limits: parseRateLimit(headers.get(HEADER.rateLimitPolicy), headers.get(HEADER.rateLimit)),
  };
}

/**
 * Reads the answer to an attempt. Whatever it holds becomes an outcome for each of the attempt's requests.
 *
 * @param now local time, milliseconds; dates in the answer are read against it where the answer has none of its own
 * @throws whatever the body's stream throws when the connection breaks off: no answer came then
 */
export async function readAnswer(
  response: Response,
  attempt: Pick<Attempt, 'path' | 'requestIds'>,
  idempotent: boolean,
  now: number,
): Promise<Outcome> {
  const told = readTold(response.headers);
  const each = (item: ItemOutcome): Outcome => ({
    items: attempt.requestIds.map(() => item),
    answered: true,
    conclusive: item.kind === 'created' || item.kind === 'refused',
    ...told,
  });
  if (isRedirect(response)) return each({ kind: 'refused', code: 'redirected', message: '' });
  const body = await readJson(response);
  const retryAfterSeconds = parseRetryAfter(response.headers.get(HEADER.retryAfter), told.date ?? now);
  const refusal = { retryAfterSeconds, quotaSpent: told.limits.quota?.remaining === 0, idempotent };
  if (!response.ok) return each(readRefusal({ ...refusal, status: response.status, body }));
  if (attempt.path === '/api/shorten') return each(created(body));
  const answer = BatchAnswer.safeParse(body);
  if (!answer.success) return each(NOT_UNDERSTOOD);
  const results = new Map(answer.data.results.map((result) => [result.index, result]));
  const items = attempt.requestIds.map((_, index): ItemOutcome => {
    const result = results.get(index);
    if (!result) return NOT_UNDERSTOOD;
    if ('link' in result) return { kind: 'created', shortUrl: result.link.shortUrl };
    return readRefusal({ ...refusal, status: result.status, body: result });
  });
  return { items, answered: true, conclusive: true, ...told };
}

/** Browsers hide a redirect that is not followed, its status included; elsewhere the status tells. */
export function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function created(body: unknown): ItemOutcome {
  const answer = ShortenAnswer.safeParse(body);
  return answer.success ? { kind: 'created', shortUrl: answer.data.shortUrl } : NOT_UNDERSTOOD;
}
