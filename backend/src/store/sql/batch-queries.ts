import { StoreTimeout } from '../interface/store.ts';

/** Maximum size of a batch: about the load of one tick, but small enough for a quick response. */
const MAX_BATCH_SIZE = 100;
/** Maximum number of batches at once. One is sent while another is executed; more would only make each smaller. */
const MAX_BATCHES = 2;

/**
 * Groups look-ups: those of one tick of the event loop share one query.
 *
 * @param answer returns the answers in the order of the questions; if it fails, all of them fail
 */
export function batchLookUps<Question, Answer>(
  answer: (questions: Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  interface Asked {
    question: Question;
    resolve(answer: Answer): void;
    reject(error: unknown): void;
  }
  const batches = createBatches(async (batch: Asked[]) => {
    try {
      const answers = await answer(batch.map(({ question }) => question));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // If the database does not respond, each queued batch would wait for its own timeout. So all of them fail now.
      const failed = error instanceof StoreTimeout ? [...batch, ...batches.takeWaiting()] : batch;
      for (const { reject } of failed) reject(error);
    }
  });
  return (question) => new Promise((resolve, reject) => batches.add({ question, resolve, reject }));
}

export interface Batches<Member> {
  /** Adds a member to the next batch. */
  add(member: Member): void;
  /** Removes and returns the members whose batch has not started. */
  takeWaiting(): Member[];
}

/**
 * Groups the members of one tick of the event loop, or those added while earlier batches run. A whole batch costs as
 * many round trips and file locks as a single member.
 *
 * @param execute settles each member; must not throw
 */
export function createBatches<Member>(execute: (batch: Member[]) => Promise<void>): Batches<Member> {
  let waiting: Member[] = [];
  let running = 0;

  function start(): void {
    while (waiting.length > 0 && running < MAX_BATCHES) {
      const batch = waiting.slice(0, MAX_BATCH_SIZE);
      waiting = waiting.slice(MAX_BATCH_SIZE);
      running += 1;
      execute(batch).finally(() => {
        running -= 1;
        start();
      });
    }
  }

  return {
    add(member) {
      if (waiting.length === 0) setImmediate(start);
      waiting.push(member);
    },
    takeWaiting() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
