import { hostPattern } from '../messages/host-pattern.ts';
import browser from '../platform/browser.ts';
import type { Connection } from '../queue/types.ts';
import { t } from './strings.ts';
import type { Flash } from './use-flash.ts';

/**
 * Asks whether a service may be reached. Called first thing in the click: after an await the browser no longer takes it
 * for the person's own doing. A question that cannot be asked is answered with no.
 */
export async function requestAccess(address: string): Promise<boolean> {
  return browser.permissions.request({ origins: [hostPattern(address)] }).catch(() => false);
}

/**
 * Asks for the access that a connection lacks, as `requestAccess` does. Its queue goes on with it; without, that is said.
 *
 * @returns whether there is access now
 */
export async function allowAccess({ id, baseUrl }: Connection, { change, show }: Flash): Promise<boolean> {
  const isAllowed = await requestAccess(baseUrl);
  if (isAllowed) await change({ type: 'try-now', connectionId: id });
  else show({ text: t('permissionDenied') });
  return isAllowed;
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
