import { removeTextFragment, withoutTracking } from './remove-tracking.ts';

/** Settings for removing parts of a URL before it is shortened. */
export interface UrlDefaults {
  removeTracking: boolean;
  dropTextFragment: boolean;
}

/** Removes the parts of a URL that the user's settings exclude. */
export function applyUrlDefaults(url: string, { removeTracking, dropTextFragment }: UrlDefaults): string {
  const bare = (dropTextFragment && removeTextFragment(url)) || url;
  return removeTracking ? withoutTracking(bare).url : bare;
}
