import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Log } from '../log/log.ts';
import type { LendableWriteLock } from '../store/write-lock.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';

/** The counting thread, seen from the main one. */
export interface Counter {
  /** Starts the thread if it does not run. */
  start(): void;
  /** Counts what is written by now, and what dead processes left; resolves when that was tried. */
  count(): Promise<void>;
  /** Counts the journal of this process, which is written to its end, removes it and ends the thread. */
  finish(): Promise<void>;
  /** Ends the thread. */
  stop(): Promise<void>;
}

export interface CounterOptions {
  data: ThreadData;
  writeLock: LendableWriteLock | null;
  log: Log;
  onRemoved(bytes: number): void;
}

/** A thread that failed would fail again at once; the next is started so much later, in milliseconds. */
const RESTART_AFTER = 5000;

export function createCounter({ data, writeLock, log, onRemoved }: CounterOptions): Counter {
  let thread: Worker | null = null;
  let releaseLock = (): void => {};
  let asked = 0;
  let startAt = 0;
  const waiting = new Map<number, () => void>();

  const tell = (message: ToThread) => thread?.postMessage(message);

  function start(): void {
    if (thread || performance.now() < startAt) return;
    thread = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: data,
      name: 'clicks',
      // What it makes lives shortly; more room would only be filled before it is swept.
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
    });
    thread.unref();
    thread.on('message', hear);
    thread.on('error', (error) => {
      startAt = performance.now() + RESTART_AFTER;
      log('error', 'the counting of clicks failed', { error });
    });
    thread.on('exit', ended);
  }

  /** Whatever it was about to do is done by the next, from where the store says the journals are. */
  function ended(): void {
    thread = null;
    releaseLock();
    for (const resolve of waiting.values()) resolve();
    waiting.clear();
  }

  function hear(message: FromThread): void {
    switch (message.type) {
      case 'lock-wanted':
        writeLock?.lend((release) => {
          releaseLock = release;
          if (thread) tell({ type: 'lock-granted' });
          else release();
        });
        break;
      case 'lock-released':
        releaseLock();
        break;
      case 'removed':
        onRemoved(message.bytes);
        break;
      case 'counted':
        waiting.get(message.id)?.();
        waiting.delete(message.id);
        break;
      case 'log':
        log(message.level, message.message, message.fields);
        break;
    }
  }

  async function end(finish: boolean): Promise<void> {
    if (!thread) return;
    const gone = once(thread, 'exit');
    // Somebody waits for it now, so the process must not end before it.
    thread.ref();
    tell({ type: 'stop', finish });
    await gone;
  }

  return {
    start,
    count() {
      start();
      if (!thread) return Promise.resolve();
      asked += 1;
      const id = asked;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        tell({ type: 'count', id });
      });
    },
    async finish() {
      start();
      await end(true);
    },
    stop: () => end(false),
  };
}
