import type { LinkOptions } from '../queue/types.ts';
import type { Settings } from '../storage/settings.ts';

/** What the form begins with. */
export type FormDefaults = Pick<Settings, 'removeTracking' | 'dropTextFragment' | 'expiry'>;

/** What the form is about. */
export interface FormTarget {
  url: string;
  title: string;
  /** The tab that shows it; undefined where it is no page's. */
  tabId: number | undefined;
  /** What was asked for before; absent: nothing. */
  options?: LinkOptions;
  /** The request that this one is asked for instead of. */
  insteadOf?: string;
}

/** What the form makes: an address as it goes out, and what its link is to have. */
export interface DraftedLink {
  url: string;
  title: string;
  userInfoRemoved: boolean;
  options: LinkOptions;
}
