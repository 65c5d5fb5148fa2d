import browser, { type Runtime } from './browser.ts';

/** Answers a message by a promise; undefined where the message is not for it to answer. */
export type Answerer = (message: unknown, sender: Runtime.MessageSender) => Promise<unknown> | undefined;

/**
 * Answers messages in every browser: a listener that returns a promise is understood by Firefox and by the newest
 * Chromium alone, one that says "later" and calls back by all. A promise that is rejected answers with undefined, which
 * is also what the sender gets of a background that died.
 */
export function answerMessages(answer: Answerer): void {
  const listener = (message: unknown, sender: Runtime.MessageSender, respond: (reply: unknown) => void) => {
    const answered = answer(message, sender);
    answered?.then(respond, () => respond(undefined));
    return answered ? true : undefined;
  };
  browser.runtime.onMessage.addListener(listener as Runtime.OnMessageListenerCallback);
}
