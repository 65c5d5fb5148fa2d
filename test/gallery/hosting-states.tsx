import { createCopier } from '../../src/components/copier.ts';
import { HostingPage } from '../../src/pages/hosting/hosting-page.tsx';

/** States of the hosting guide. It has only one. */
export const HOSTING_STATES: Record<string, object> = { guide: {} };

export function hostingIn() {
  return <HostingPage copier={createCopier(async () => {})} />;
}
