import browser from '../../browser/browser.ts';
import { needsUser } from '../../queue/status/request-status.ts';
import type { Queue } from '../../queue/types.ts';

const WAITING_COLOR = '#0b6e4f';
const FAILED_COLOR = '#b3261e';
const FLASH_MS = 2_500;

export interface Badge {
  text: string;
  color: string;
}

export const DONE: Badge = { text: '✓', color: '#0b6e4f' };
export const REFUSED: Badge = { text: '!', color: FAILED_COLOR };

/**
 * Returns the toolbar badge: the number of requests that need the user's attention or, if there are none, the number
 * of waiting requests.
 */
export function badgeOf(queues: Pick<Queue, 'requests' | 'state'>[]): Badge {
  const stuck = queues.flatMap((queue) => queue.requests.filter(needsUser(queue)));
  if (stuck.length > 0) return { text: short(stuck.length), color: FAILED_COLOR };
  const { length } = queues.flatMap(({ requests }) => requests);
  return { text: length === 0 ? '' : short(length), color: WAITING_COLOR };
}

let flashing: ReturnType<typeof setTimeout> | null = null;

/** Shows a badge on the toolbar button. Does nothing while `flashBadge` shows a temporary badge. */
export async function showBadge(badge: Badge): Promise<void> {
  if (!flashing) await set(badge);
}

/** Shows a badge for a moment, and then shows the current badge again. */
export async function flashBadge(badge: Badge, current: () => Promise<Badge>): Promise<void> {
  if (flashing) clearTimeout(flashing);
  flashing = setTimeout(() => {
    flashing = null;
    // If `current` fails, the temporary badge stays until the next update.
    current()
      .then(showBadge)
      .catch(() => undefined);
  }, FLASH_MS);
  await set(badge);
}

async function set({ text, color }: Badge): Promise<void> {
  await browser.action.setBadgeText({ text });
  if (!text) return;
  await browser.action.setBadgeBackgroundColor({ color });
  await browser.action.setBadgeTextColor?.({ color: '#ffffff' });
}

function short(count: number): string {
  return count > 99 ? '99+' : String(count);
}
