import browser from '../platform/browser.ts';

/**
 * Gives back every permission that was asked for, and takes notifications off the screen. What stays (an administrator's
 * grant, say) is no reason to stop.
 */
export async function giveBackPermissions(): Promise<void> {
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
