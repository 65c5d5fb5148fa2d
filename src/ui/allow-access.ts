import { hostPattern } from '../messages/host-pattern.ts';
import browser from '../platform/browser.ts';
import type { Connection } from '../queue/types.ts';

/** Asks for the permission of a connection's service. To be called inside the click: after an await the browser no longer takes it for the person's. */
export function allowAccess({ baseUrl }: Connection, granted: () => void, denied: () => void): void {
  const asked = browser.permissions.request({ origins: [hostPattern(baseUrl)] });
  asked.then((isGranted) => (isGranted ? granted() : denied()), denied);
}
