import type { Mock } from 'vitest';
import type { Message } from '../../../src/messages/protocol.ts';
import type { PopupDeps, Shorten } from '../../../src/pages/popup/popup-store.ts';
import { testDeps } from '../../gallery/page-deps.ts';

type Shortens = Mock<(what: Shorten) => Promise<boolean>>;

/**
 * Returns a popup's connection to a background worker that accepts a shorten command if `shorten` resolves to true.
 * `shortenAnew` receives the commands for another link to the same URL.
 */
export function shortenCommands(shorten: Shortens, shortenAnew: Shortens): Pick<PopupDeps, 'ask'> {
  const others = testDeps();
  const ask = async (message: Message) => {
    if (message.type !== 'shorten') return others.ask(message);
    const { orders, options, anew, insteadOf } = message;
    const [{ url, title } = { url: '', title: '' }] = orders;
    const what = { url, title, userInfoRemoved: false, options, insteadOf };
    const isAccepted = await (anew ? shortenAnew : shorten)(what);
    return isAccepted ? others.ask(message) : { ok: false, code: 'storage_full' };
  };
  return { ask: ask as PopupDeps['ask'] };
}
