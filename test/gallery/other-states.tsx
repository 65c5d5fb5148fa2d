import { LoadError } from '../../src/components/page-shell.tsx';

/** States of a page whose data cannot be read. */
export const BROKEN_STATES: Record<string, { error: unknown }> = {
  newer: { error: new DOMException('The existing version is higher.', 'VersionError') },
  other: { error: new DOMException('Internal error opening the backing store.', 'UnknownError') },
};

export function brokenIn(state: string) {
  return <LoadError error={BROKEN_STATES[state]?.error} />;
}
