import { createCopier } from '../../src/components/copier.ts';
import { LoadError } from '../../src/components/page-shell.tsx';
import { HostingPage } from '../../src/pages/hosting/hosting-page.tsx';

/** States of the hosting guide. It has only one. */
export const HOSTING_STATES = { guide: {} };

export function hostingIn() {
  return <HostingPage copier={createCopier(async () => {})} />;
}

/** States of a page whose data cannot be read. */
export const BROKEN_STATES: Record<string, { error: unknown }> = {
  newer: { error: new DOMException('The existing version is higher.', 'VersionError') },
  other: { error: new DOMException('Internal error opening the backing store.', 'UnknownError') },
};

export function brokenIn(state: string) {
  return <LoadError error={BROKEN_STATES[state]?.error} />;
}
