import type { Browser } from 'puppeteer-core';

/** Puppeteer's WebDriver BiDi connection. Puppeteer does not export its type. */
interface BidiConnection {
  send(method: string, params: object): Promise<{ result: unknown }>;
}

interface Evaluation {
  result?: { value?: unknown };
  exceptionDetails?: { text: string };
}

/**
 * Evaluates expressions in the scope of Firefox's own window, which can control the whole browser. Values must be
 * strings, numbers, booleans or undefined.
 */
export async function browserScope(browser: Browser): Promise<<T>(expression: string) => Promise<T>> {
  const { connection } = browser as unknown as { connection: BidiConnection };
  const tree = await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
  const window = (tree.result as { contexts: { context: string; url: string }[] }).contexts.find(
    ({ url }) => url === 'chrome://browser/content/browser.xhtml',
  );
  if (!window) throw new Error('Firefox has no browser window');
  return async <T>(expression: string) => {
    const answer = await connection.send('script.evaluate', {
      expression,
      target: { context: window.context },
      awaitPromise: true,
    });
    const { result, exceptionDetails } = answer.result as Evaluation;
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result?.value as T;
  };
}
