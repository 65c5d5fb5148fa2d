import { type ReleasedPage, release010 } from './release-0.1.0.ts';
import { release020 } from './release-0.2.0.ts';

/** Controls of a released version that do not depend on its message format. */
export interface Release {
  connect(connection: { baseUrl: string; apiKey: string }): Promise<void>;
  shorten(url: string, title?: string): Promise<void>;
  untilLinks(count: number): Promise<void>;
  /** Waits until `count` requests were sent without an answer. */
  untilUnanswered(count: number): Promise<void>;
}

interface ReleaseControls {
  optionsPage: string;
  drive: (page: ReleasedPage) => Release;
  /** True if an update from this release shows the release notes of `NEWS_OF`. */
  showsNews: boolean;
}

/** All released versions with their controls. `test/fixtures/releases/` contains their builds and stored data. */
export const RELEASES: Record<string, ReleaseControls> = {
  '0.1.0': { optionsPage: 'src/options/index.html', drive: release010, showsNews: true },
  '0.2.0': { optionsPage: 'src/pages/options/index.html', drive: release020, showsNews: false },
};
