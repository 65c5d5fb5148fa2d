import { removeTextFragment, withoutTracking } from './remove-tracking.ts';

/** Settings for the parts of a URL that are removed before it is sent. */
export interface UrlDefaults {
  removeTracking: boolean;
  dropTextFragment: boolean;
}

/** Returns the URL without the parts that the settings remove. */
export function applyUrlDefaults(url: string, { removeTracking, dropTextFragment }: UrlDefaults): string {
  const bare = (dropTextFragment && removeTextFragment(url)) || url;
  return removeTracking ? withoutTracking(bare).url : bare;
}
