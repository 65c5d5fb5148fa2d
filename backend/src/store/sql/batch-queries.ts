import { StoreTimeout } from '../interface/store.ts';

/** Maximum number of items in a batch. Larger batches would take longer and delay the responses. */
const MAX_BATCH_SIZE = 100;
/**
 * Maximum number of batches that run at the same time. While the database executes one batch, the next batch can
 * already be sent.
 */
const MAX_BATCHES = 2;

/**
 * Groups the lookups of one event loop tick into a single query.
 *
 * @param answer returns the answers in the order of the questions; if `answer` fails, all lookups of the batch fail
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
      // If the database does not respond, waiting batches fail immediately. Otherwise, each batch would wait until it
      // times out too.
      const failed = error instanceof StoreTimeout ? [...batch, ...batches.takeWaiting()] : batch;
      for (const { reject } of failed) reject(error);
    }
  });
  return (question) => new Promise((resolve, reject) => batches.add({ question, resolve, reject }));
}

export interface Batches<Member> {
  add(member: Member): void;
  takeWaiting(): Member[];
}

/**
 * Collects items into batches. A batch contains the items that were added in the same event loop tick or while
 * earlier batches ran. Processing a batch takes no more round trips or file locks than processing one item.
 *
 * @param execute handles a batch and must not throw
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
