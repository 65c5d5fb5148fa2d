import { type Release010, type ReleasedPage, release010 } from './release-0.1.0.ts';

/** What a released version is told to do, whatever its messages are. */
export type Release = Pick<Release010, 'connect' | 'shorten' | 'untilLinks' | 'untilRequests'>;

/** Every released version, and how it is driven. `test/fixtures/releases/` has its builds and what it had on disk. */
export const RELEASES: Record<string, (page: ReleasedPage) => Release> = {
  '0.1.0': release010,
};
