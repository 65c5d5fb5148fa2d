import type { Message, Reply } from '../../../../src/messages/protocol.ts';
import type { Computer } from './computer.ts';

/** Number of times that a page sends a message without a reply. */
const TRIES = 3;
const PAUSE_MS = 5_000;

/**
 * Sends a message as a page of the extension does. Repeats the message if no reply arrives, or if the background
 * worker had an internal error.
 */
export async function tell(
  computer: Computer,
  message: Message,
  onOk: (value: unknown) => void,
  onRefused: (reply: Reply<unknown>) => void = () => {},
  tries = TRIES,
): Promise<void> {
  let isDone = false;
  const send = async (left: number) => {
    if (isDone || left === 0) return;
    await computer.ask(message, (reply) => {
      if (isDone || (!reply.ok && reply.code === 'internal')) return;
      isDone = true;
      if (reply.ok) onOk(reply.value);
      else onRefused(reply);
    });
    const { agenda } = computer;
    if (!isDone) agenda.add(agenda.now + PAUSE_MS, () => send(left - 1));
  };
  await send(tries);
}
