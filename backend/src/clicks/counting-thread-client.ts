import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Log } from '../log/json-log.ts';
import type { LendableWriteLock } from '../store/interface/write-lock-between-threads.ts';
import type { FromThread, ThreadData, ToThread } from './counting-thread.ts';

export interface Counter {
  start(): void;
  /**
   * Counts all clicks recorded so far, including those left behind by other processes. Resolves even if counting
   * fails.
   */
  count(): Promise<void>;
  /** Counts the remaining clicks of this process, deletes their files and ends the thread. */
  finish(): Promise<void>;
  stop(): Promise<void>;
}

export interface CounterOptions {
  data: ThreadData;
  writeLock: LendableWriteLock | null;
  log: Log;
  onRemoved(bytes: number): void;
}

/** Delay in milliseconds before a crashed thread is restarted. An immediate restart would probably fail again. */
const RESTART_DELAY_MS = 5000;

export function createCounter({ data, writeLock, log, onRemoved }: CounterOptions): Counter {
  let thread: Worker | null = null;
  let releaseLock = (): void => {};
  let lastId = 0;
  let startAt = 0;
  const waiting = new Map<number, () => void>();

  const post = (message: ToThread) => thread?.postMessage(message);

  function start(): void {
    if (thread || performance.now() < startAt) return;
    thread = new Worker(new URL('./counting-thread.ts', import.meta.url), {
      workerData: data,
      name: 'clicks',
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
    });
    thread.unref();
    thread.on('message', handleMessage);
    thread.on('error', (error) => {
      startAt = performance.now() + RESTART_DELAY_MS;
      log('error', 'the thread that counts clicks has crashed and will be restarted', { error });
    });
    thread.on('exit', ended);
  }

  /**
   * Resolves all pending calls of `count` when the thread has ended. The next thread resumes from the stored
   * progress.
   */
  function ended(): void {
    thread = null;
    releaseLock();
    for (const resolve of waiting.values()) resolve();
    waiting.clear();
  }

  function handleMessage(message: FromThread): void {
    switch (message.type) {
      case 'lock-wanted':
        writeLock?.lend((release) => {
          releaseLock = release;
          if (thread) post({ type: 'lock-granted' });
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
    const exited = once(thread, 'exit');
    // Keeps the process alive until the thread has ended. Without this call, the process could exit earlier, because
    // `start` calls `unref`.
    thread.ref();
    post({ type: 'stop', finish });
    await exited;
  }

  return {
    start,
    count() {
      start();
      if (!thread) return Promise.resolve();
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        post({ type: 'count', id });
      });
    },
    async finish() {
      start();
      await end(true);
    },
    stop: () => end(false),
  };
}
