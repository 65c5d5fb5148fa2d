import { Broken } from '../../src/ui/broken.tsx';

/** Why a page's data could not be read. */
export const BROKEN_STATES: Record<string, { error: unknown }> = {
  newer: { error: new DOMException('The existing version is higher.', 'VersionError') },
  other: { error: new DOMException('Internal error opening the backing store.', 'UnknownError') },
};

export function brokenIn(state: string) {
  return <Broken error={BROKEN_STATES[state]?.error} />;
}
