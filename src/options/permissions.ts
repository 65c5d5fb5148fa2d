import browser from 'webextension-polyfill';
import { hostPattern } from '../messages/host-pattern.ts';

/** Asks whether a service may be reached. Called first thing in the click: after an await it is nobody's own wish. */
export function mayReach(address: string): Promise<boolean> {
  return browser.permissions.request({ origins: [hostPattern(address)] });
}

/**
 * Gives back what was allowed for a service that is not the connected one. Kept against our wish (by an administrator,
 * say), it is no reason to stop.
 *
 * @param connected the address of the stored connection, whose permission stays; null where there is none
 */
export async function giveBack(address: string, connected: string | null): Promise<void> {
  const pattern = hostPattern(address);
  if (connected !== null && hostPattern(connected) === pattern) return;
  await browser.permissions.remove({ origins: [pattern] }).catch(() => undefined);
}
