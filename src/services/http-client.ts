import { HEADER, parseRateLimit } from '@terse/contract/http-headers';
import type { Reported } from './service-adapter.ts';

/** Options of every HTTP request: no cookies, no cache, no redirects. */
export const FETCH_DEFAULTS = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;

/** Maximum size of a response body in bytes. A page of 100 links with the longest URLs and titles is smaller. */
const MAX_BODY_BYTES = 5_000_000;

/** True if the response is a redirect. Browsers hide the status code of a redirect that `fetch` does not follow. */
export function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** True if a request failed because it exceeded its time limit. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

export function readReported(headers: Headers): Reported {
  const date = Date.parse(headers.get('Date') ?? '');
  return {
    date: Number.isNaN(date) ? null : date,
    limits: parseRateLimit(headers.get(HEADER.rateLimitPolicy), headers.get(HEADER.rateLimit)),
  };
}

/**
 * Reads a JSON body of limited size.
 *
 * @returns the parsed value, or undefined if the body is empty, too large or not JSON
 * @throws the stream's error if the network connection breaks
 */
export async function readJson(response: Response): Promise<unknown> {
  const text = await readText(response);
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readText(response: Response): Promise<string | null> {
  if (!response.body) return null;
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > MAX_BODY_BYTES) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
