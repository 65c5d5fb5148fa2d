import { getCookie } from 'hono/cookie';
import type { PageContext } from './page.ts';
import { type Times, timesIn } from './times.ts';

/** Set by `assets/time-zone.js`, so that pages come with their times in the reader's zone. */
const COOKIE = 'terse-zone';

/** The times of the reader's zone; without script it is not known, and times are in UTC. */
export function readerTimes(context: PageContext): Times {
  return timesIn(getCookie(context, COOKIE) ?? 'UTC');
}
