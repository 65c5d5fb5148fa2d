import { withoutTextFragment } from './text-fragment.ts';
import { withoutTracking } from './tracking.ts';

/** What the user wants removed from every URL. */
export interface UrlDefaults {
  removeTracking: boolean;
  dropTextFragment: boolean;
}

/** The URL as it is sent, without what the user wants removed. */
export function applyUrlDefaults(url: string, { removeTracking, dropTextFragment }: UrlDefaults): string {
  const bare = (dropTextFragment && withoutTextFragment(url)) || url;
  return removeTracking ? withoutTracking(bare).url : bare;
}
