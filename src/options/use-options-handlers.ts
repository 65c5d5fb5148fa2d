import { useMemo } from 'preact/hooks';
import type { ConnectionReport, Message } from '../messages/messages.ts';
import browser from '../platform/browser.ts';
import type { QueuesView } from '../storage/view.ts';
import { sendWithRetry } from '../ui/send-with-retry.ts';
import type { Stored } from '../ui/use-stored.ts';
import type { Answer, ConnectionInput, OptionsHandlers } from './handlers.ts';
import { giveBackAccess, requestAccess } from './permissions.ts';
import { openShortcuts } from './shortcuts.ts';
import type { useSettings } from './use-settings.ts';

type SettingsHandlers = Pick<ReturnType<typeof useSettings>, 'change' | 'setNotifications'>;

/** What the options page can do, over the browser and the background. */
export function useOptionsHandlers(
  { value, refresh }: Stored<QueuesView>,
  { change, setNotifications }: SettingsHandlers,
): OptionsHandlers {
  const before = value.queues.map(({ connection }) => connection.baseUrl).join('\n');
  return useMemo<OptionsHandlers>(() => {
    const giveBackUnused = async (addresses: string[]) => {
      const connected = (await refresh()).queues.map(({ connection }) => connection.baseUrl);
      for (const address of new Set(addresses)) await giveBackAccess(address, connected);
    };
    /** Probes a service, connected to it then or not: where not, its permission is not kept. */
    const probe = async (message: Message, address: string) => {
      if (!(await requestAccess(address))) return { ok: false, code: 'denied' } as const;
      const answer = await answerTo<ConnectionReport>(message);
      await giveBackUnused([address, ...before.split('\n')].filter(Boolean));
      return answer;
    };
    return {
      test: ({ connectionId, baseUrl, apiKey }: ConnectionInput) =>
        probe({ type: 'test-connection', connectionId, baseUrl, apiKey }, baseUrl),
      save: (input) => probe({ type: 'save-connection', ...input }, input.baseUrl),
      forget: async (connectionId, waiting) => {
        const answer = await answerTo({ type: 'forget-connection', connectionId, waiting });
        await giveBackUnused(before.split('\n').filter(Boolean));
        return answer;
      },
      setDefault: (connectionId) => void answerTo({ type: 'set-default-connection', connectionId }).then(refresh),
      // What it ends is noticed by the background, which hears of the grant itself.
      allow: (baseUrl) => void requestAccess(baseUrl),
      change,
      setNotifications,
      openShortcuts: () => void openShortcuts(),
      openLinks: () => void browser.tabs.create({ url: browser.runtime.getURL('src/links/index.html') }),
    };
  }, [change, setNotifications, before, refresh]);
}

async function answerTo<T = null>(message: Message): Promise<Answer<T>> {
  try {
    return await sendWithRetry<T>(message);
  } catch {
    return { ok: false, code: 'lost' };
  }
}
