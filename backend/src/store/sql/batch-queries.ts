import { StoreTimeout } from '../interface/store.ts';

/** As many as one tick of the event loop brings under load, and few enough to be answered soon. */
const MOST_IN_BATCH = 100;
/** One batch travels while another is executed; with more of them, each would only be smaller. */
const MOST_BATCHES = 2;

/**
 * Batches look-ups: those asked for in one tick of the event loop become one question.
 *
 * @param answer resolves to the answers in the order of the questions; if it fails, everyone who asked gets its error
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
      // Behind a database that is silent the next batch would wait as long again, and so on down the queue.
      const failed = error instanceof StoreTimeout ? [...batch, ...batches.takeWaiting()] : batch;
      for (const { reject } of failed) reject(error);
    }
  });
  return (question) => new Promise((resolve, reject) => batches.add({ question, resolve, reject }));
}

export interface Batches<Member> {
  /** Adds one to the batch that is next. */
  add(member: Member): void;
  /** Takes out all that no batch has begun with. */
  takeWaiting(): Member[];
}

/**
 * Batches what is asked for during one tick of the event loop or while earlier batches run: a whole batch costs as many
 * round trips, and as many file locks, as a single member.
 *
 * @param execute settles every member itself; must not throw
 */
export function createBatches<Member>(execute: (batch: Member[]) => Promise<void>): Batches<Member> {
  let waiting: Member[] = [];
  let running = 0;

  function start(): void {
    while (waiting.length > 0 && running < MOST_BATCHES) {
      const batch = waiting.slice(0, MOST_IN_BATCH);
      waiting = waiting.slice(MOST_IN_BATCH);
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
