import { type Release010, type ReleasedPage, release010 } from './release-0.1.0.ts';

/** Controls of a released version that do not depend on its messages. */
export type Release = Pick<Release010, 'connect' | 'shorten' | 'untilLinks' | 'untilRequests'>;

/** Every released version with its controls. `test/fixtures/releases/` has its builds and its stored data. */
export const RELEASES: Record<string, { optionsPage: string; drive: (page: ReleasedPage) => Release }> = {
  '0.1.0': { optionsPage: 'src/options/index.html', drive: release010 },
};
