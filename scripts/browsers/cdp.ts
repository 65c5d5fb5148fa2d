import type { Readable, Writable } from 'node:stream';

/**
 * Connection to a browser over the DevTools protocol. The caller declares the type of each result, following the
 * protocol's documentation.
 */
export interface Cdp {
  send<Result = unknown>(method: string, params?: object, sessionId?: string): Promise<Result>;
}

interface Answer {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

/**
 * Speaks the Chrome DevTools Protocol over the two pipes of `--remote-debugging-pipe`. A NUL byte ends each message.
 * For commands that load extensions, Chromium requires a pipe instead of a WebSocket. Unlike a browser driver, this
 * client does not attach to background workers, because attaching would keep the workers alive.
 */
export function cdpOverPipe(toBrowser: Writable, fromBrowser: Readable): Cdp {
  const waiting = new Map<number, { method: string; resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let received = '';
  let hasEnded = false;

  fromBrowser.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (received + chunk).split('\0');
    received = messages.pop() ?? '';
    for (const message of messages) settle(JSON.parse(message));
  });
  fromBrowser.on('close', () => {
    hasEnded = true;
    for (const { method, reject } of waiting.values()) reject(endedBefore(method));
    waiting.clear();
  });
  // Ignores write errors. If the browser has exited, the 'close' listener above rejects all pending calls.
  toBrowser.on('error', () => {});

  function settle({ id, result, error }: Answer) {
    const call = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || !call) return;
    waiting.delete(id);
    if (error) call.reject(new Error(`${call.method}: ${error.message}`));
    else call.resolve(result);
  }

  return {
    send<Result>(method: string, params: object = {}, sessionId?: string) {
      if (hasEnded) return Promise.reject<Result>(endedBefore(method));
      const id = ++lastId;
      return new Promise<Result>((resolve, reject) => {
        waiting.set(id, { method, resolve: (value) => resolve(value as Result), reject });
        toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
      });
    },
  };
}

function endedBefore(method: string): Error {
  return new Error(`The browser exited before it responded to ${method}`);
}
