import { HEADER } from '@terse/contract/headers';
import type { CodeUse } from '../queue/types.ts';
import { FETCH_DEFAULTS, type Fetch } from './send.ts';

/** A person is waiting for it. */
const LOOK_UP_LIMIT_MS = 10_000;

/** Looks a short code up. A read costs none of the budget. Never throws. */
export async function lookUpCode(fetch: Fetch, baseUrl: string, apiKey: string, code: string): Promise<CodeUse> {
  try {
    const response = await fetch(`${baseUrl}/api/v1/urls/${code}`, {
      ...FETCH_DEFAULTS,
      headers: { Accept: 'application/json', [HEADER.authorization]: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(LOOK_UP_LIMIT_MS),
    });
    await response.body?.cancel();
    if (response.ok) return 'yours';
    return response.status === 404 ? 'none' : response.status === 410 ? 'retired' : 'unknown';
  } catch {
    return 'unknown';
  }
}
