import { removeTextFragment, withoutTracking } from './remove-tracking.ts';

export interface UrlDefaults {
  removeTracking: boolean;
  dropTextFragment: boolean;
}

export function applyUrlDefaults(url: string, { removeTracking, dropTextFragment }: UrlDefaults): string {
  const bare = (dropTextFragment && removeTextFragment(url)) || url;
  return removeTracking ? withoutTracking(bare).url : bare;
}
