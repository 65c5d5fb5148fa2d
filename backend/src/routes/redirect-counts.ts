import type { PageName } from './visitor-pages/languages.ts';

/** How many requests for short URLs ended in which way. Plain numbers, which cost a redirect next to nothing. */
export type RedirectCounts = Record<'redirected' | 'malformed' | PageName, number>;

export function newRedirectCounts(): RedirectCounts {
  return { redirected: 0, malformed: 0, unknown: 0, wrongMethod: 0, gone: 0, blocked: 0, throttled: 0, failed: 0 };
}
