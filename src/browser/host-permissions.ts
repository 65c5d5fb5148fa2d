import browser from './browser.ts';

/**
 * Returns the match pattern for a service's host. The pattern contains no port, because Firefox does not allow ports
 * in patterns.
 */
export function hostPattern(baseUrl: string): string {
  const { protocol, hostname } = new URL(baseUrl);
  return `${protocol}//${hostname}/*`;
}

/**
 * Asks the user for permission to access a service's host. Must be called in the click handler before any `await`;
 * otherwise the browser rejects the request. Returns false on any error.
 */
export async function requestHostPermission(address: string): Promise<boolean> {
  return browser.permissions.request({ origins: [hostPattern(address)] }).catch(() => false);
}

/**
 * Removes the permissions for the hosts of all other services. Permissions for many hosts stay, because the user
 * granted them in the browser's settings. Ignores errors, because permissions that an administrator granted cannot be
 * removed.
 *
 * @param baseUrls addresses of the services in use
 */
export async function keepHostPermissions(baseUrls: string[]): Promise<void> {
  const needed = baseUrls.map(hostPattern);
  const { origins = [] } = await browser.permissions.getAll();
  for (const origin of origins.filter((one) => /^https?:..[^*]+\/\*$/.test(one) && !needed.includes(one))) {
    await browser.permissions.remove({ origins: [origin] }).catch(() => undefined);
  }
}

/**
 * Removes all optional permissions and clears the extension's notifications. Ignores errors, because permissions that
 * an administrator granted cannot be removed.
 */
export async function removeOptionalPermissions(): Promise<void> {
  const notificationIds = Object.keys((await browser.notifications?.getAll().catch(() => ({}))) ?? {});
  for (const id of notificationIds) await browser.notifications.clear(id).catch(() => undefined);
  const { origins = [], permissions = [] } = await browser.permissions.getAll();
  const { optional_permissions: optional = [] } = browser.runtime.getManifest();
  const requested = permissions.filter((permission) => (optional as string[]).includes(permission));
  for (const origin of origins) await browser.permissions.remove({ origins: [origin] }).catch(() => undefined);
  for (const permission of requested) {
    await browser.permissions.remove({ permissions: [permission] as never[] }).catch(() => undefined);
  }
}
