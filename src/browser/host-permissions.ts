import browser from './browser.ts';

/** The permission a service's address needs. Firefox's patterns have no port, so none is named. */
export function hostPattern(baseUrl: string): string {
  const { protocol, hostname } = new URL(baseUrl);
  return `${protocol}//${hostname}/*`;
}

/**
 * Asks whether a service may be reached. Called first thing in the click: after an await the browser no longer takes it
 * for the person's own doing. A question that cannot be asked is answered with no.
 */
export async function requestHostPermission(address: string): Promise<boolean> {
  return browser.permissions.request({ origins: [hostPattern(address)] }).catch(() => false);
}

/**
 * Gives back what was allowed for a service that is no connection's. One that stays (an administrator's, say) is no reason
 * to stop.
 *
 * @param connected the addresses of the stored connections, whose permissions stay
 */
export async function removeHostPermission(address: string, connected: string[]): Promise<void> {
  const pattern = hostPattern(address);
  if (connected.some((one) => hostPattern(one) === pattern)) return;
  await browser.permissions.remove({ origins: [pattern] }).catch(() => undefined);
}

/**
 * Gives back every permission that was asked for, and takes notifications off the screen. What stays (an administrator's
 * grant, say) is no reason to stop.
 */
export async function removeOptionalPermissions(): Promise<void> {
  const shown = Object.keys((await browser.notifications?.getAll().catch(() => ({}))) ?? {});
  for (const id of shown) await browser.notifications.clear(id).catch(() => undefined);
  const { origins = [], permissions = [] } = await browser.permissions.getAll();
  const { optional_permissions: optional = [] } = browser.runtime.getManifest();
  const asked = permissions.filter((permission) => (optional as string[]).includes(permission));
  for (const origin of origins) await browser.permissions.remove({ origins: [origin] }).catch(() => undefined);
  for (const permission of asked) {
    await browser.permissions.remove({ permissions: [permission] as never[] }).catch(() => undefined);
  }
}
