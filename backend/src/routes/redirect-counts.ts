import type { PageName } from './pages.ts';

/** How many requests for short URLs ended how. Plain numbers, since counting them must cost a redirect nothing. */
export type RedirectCounts = Record<'redirected' | 'malformed' | PageName, number>;

export function newRedirectCounts(): RedirectCounts {
  return { redirected: 0, malformed: 0, unknown: 0, wrongMethod: 0, gone: 0, blocked: 0, throttled: 0, failed: 0 };
}
