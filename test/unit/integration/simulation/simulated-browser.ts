import { browser as fake } from '../../support/fake-browser.ts';
import { here } from './globals.ts';

const MINUTE = 60_000;

/** Replaces `src/browser/browser.ts` by the browser of the current computer. Its calls can fail. */
export const browser = {
  ...fake,
  storage: {
    session: storageArea('session'),
    local: storageArea('local'),
    onChanged: fake.storage.onChanged,
  },
  alarms: {
    create: (_name: string, { delayInMinutes, periodInMinutes }: { delayInMinutes: number; periodInMinutes: number }) =>
      throughGate('alarms.create', (computer) => computer.setAlarm(delayInMinutes * MINUTE, periodInMinutes * MINUTE)),
    clear: () =>
      throughGate('alarms.clear', async (computer) => {
        computer.clearAlarm();
        return true;
      }),
  },
  action: { setBadgeText: nothing, setBadgeBackgroundColor: nothing, setBadgeTextColor: nothing, openPopup: nothing },
  notifications: { create: nothing },
  windows: { getAll: async () => [] },
  permissions: { ...fake.permissions, contains: () => throughGate('permissions.contains', async () => true) },
};

export default browser;

async function nothing(): Promise<void> {}

type Here = ReturnType<typeof here>['computer'];

function throughGate<T>(name: string, work: (computer: Here) => Promise<T>): Promise<T> {
  const { computer } = here();
  return computer.gate.call(name, () => work(computer));
}

function storageArea(name: 'session' | 'local') {
  return {
    get: (key: string) => throughGate(`${name}.get`, (computer) => computer[name].get(key)),
    set: (records: Record<string, unknown>) => throughGate(`${name}.set`, (computer) => computer[name].set(records)),
    remove: (key: string) => throughGate(`${name}.remove`, (computer) => computer[name].remove(key)),
    clear: async () => here().computer[name].clear(),
  };
}
