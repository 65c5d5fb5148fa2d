/** Enough for what one turn of the event loop brings under load, and few enough to be done soon. */
const MOST_AT_ONCE = 100;
/** One group is on its way while another is carried out; more would only be smaller. */
const MOST_GROUPS = 2;

/**
 * Asks what is asked during one turn of the event loop as one question.
 *
 * @param answer the answers in the order of the questions; where it fails, all who asked are told so
 */
export function askTogether<Question, Answer>(
  answer: (questions: Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  interface Asked {
    question: Question;
    resolve(answer: Answer): void;
    reject(error: unknown): void;
  }
  const ask = gather(async (group: Asked[]) => {
    try {
      const answers = await answer(group.map(({ question }) => question));
      for (const [at, { resolve }] of group.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  });
  return (question) => new Promise((resolve, reject) => ask({ question, resolve, reject }));
}

/**
 * Gathers what is asked for during one turn of the event loop, and while earlier groups are carried out, since a group
 * costs as many round trips, and as many locks of a file, as one alone.
 *
 * @param carryOut settles every member itself; must not throw
 * @returns adds one to the group that is next
 */
export function gather<Member>(carryOut: (group: Member[]) => Promise<void>): (member: Member) => void {
  let waiting: Member[] = [];
  let running = 0;

  function start(): void {
    while (waiting.length > 0 && running < MOST_GROUPS) {
      const group = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      running += 1;
      carryOut(group).finally(() => {
        running -= 1;
        start();
      });
    }
  }

  return (member) => {
    if (waiting.length === 0) setImmediate(start);
    waiting.push(member);
  };
}
