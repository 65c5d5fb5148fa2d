import type { Attempt } from '../../../../src/queue/types.ts';
import type { AttemptResult, RequestResult } from '../../../../src/servers/adapter.ts';
import { answered, lost } from '../support/queue-builders.ts';
import type { ModelAnswer } from './service.ts';

const message = '';

/** Reads a model response as the extension's HTTP client reads a real response. */
export function outcomeOf(answer: ModelAnswer, { requestIds }: Attempt): AttemptResult {
  if (answer.status === 'lost') return lost(requestIds.length);
  const { limits } = answer;
  if (answer.status === 'done') {
    const items = requestIds.map((_, index): RequestResult => {
      const shortUrl = answer.results[index];
      if (shortUrl === 'error') return { kind: 'unclear', code: 'server_error', message };
      if (shortUrl === 'taken') return { kind: 'refused', code: 'short_code_taken', message };
      return shortUrl ? { kind: 'created', shortUrl } : { kind: 'refused', code: 'invalid_url', message };
    });
    return answered(items, { limits, conclusive: true });
  }
  const item = itemOf(answer);
  // A gateway's error page contains no information about the service.
  const isOwn = item.kind === 'refused' || item.kind === 'refused_for_now';
  return answered(
    requestIds.map(() => item),
    { ...(isOwn && { limits }), answered: isOwn, refusedAsWhole: answer.status === 'too-large' },
  );
}

function itemOf({ status, retryAfterSeconds }: ModelAnswer): RequestResult {
  if (status === 'no-key') return { kind: 'refused', code: 'unauthorized', message };
  if (status === 'too-large') return { kind: 'refused', code: 'refused', message };
  if (status === 'filtered') return { kind: 'not_made', code: 'gateway_refused', message };
  if (status === 'busy') return { kind: 'refused_for_now', code: 'busy', message, retryAfterSeconds };
  if (status === 'quota' || status === 'throttled') {
    const code = status === 'quota' ? 'quota_exceeded' : 'throttled';
    return { kind: 'refused_for_now', code, message, retryAfterSeconds };
  }
  return { kind: 'unclear', code: status === 'nonsense' ? 'not_understood' : 'server_error', message };
}
