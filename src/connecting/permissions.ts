import { hostPattern } from '../messages/host-pattern.ts';
import browser from '../platform/browser.ts';

/**
 * Asks whether a service may be reached. Called first thing in the click: after an await the browser no longer takes it
 * for the person's own doing. A question that cannot be asked is answered with no.
 */
export async function requestAccess(address: string): Promise<boolean> {
  return browser.permissions.request({ origins: [hostPattern(address)] }).catch(() => false);
}

/**
 * Gives back what was allowed for a service that is no connection's. One that stays (an administrator's, say) is no reason
 * to stop.
 *
 * @param connected the addresses of the stored connections, whose permissions stay
 */
export async function giveBackAccess(address: string, connected: string[]): Promise<void> {
  const pattern = hostPattern(address);
  if (connected.some((one) => hostPattern(one) === pattern)) return;
  await browser.permissions.remove({ origins: [pattern] }).catch(() => undefined);
}
