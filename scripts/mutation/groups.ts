/** Source files that are mutated together, and the tests that should detect the mutants. */
export interface Group {
  /** Globs of source files. */
  mutate: string[];
  /** Globs of test files. */
  tests: string[];
}

/** Minimum percentage of a group's mutants that the tests must detect. */
export const LOWEST_SCORE = 80;

const BACKEND = 'backend/test';
const QUEUE = 'test/unit/queue';

export const GROUPS: Record<string, Group> = {
  limits: {
    mutate: ['backend/src/domain/limits/{create-requests,key-limits,throttle}.ts', 'backend/src/api/key-and-limits.ts'],
    tests: [`${BACKEND}/domain/limits.test.ts`, `${BACKEND}/http/{authentication,batch,limits,metrics}.test.ts`],
  },
  creates: {
    mutate: [
      'backend/src/api/create-links.ts',
      'backend/src/domain/links/{link-rules,short-codes}.ts',
      'backend/src/store/sql/create-request.ts',
    ],
    tests: [
      `${BACKEND}/domain/{codes,link-rules}.test.ts`,
      `${BACKEND}/http/{batch,chosen-codes,limits,link-options,links,shorten}.test.ts`,
      `${BACKEND}/store/sqlite.test.ts`,
    ],
  },
  clicks: {
    mutate: [
      'backend/src/clicks/*.ts',
      'backend/src/domain/analytics/*.ts',
      'backend/src/store/sql/{click-queries,count-clicks}.ts',
    ],
    tests: [
      `${BACKEND}/domain/{clicks,names}.test.ts`,
      `${BACKEND}/clicks/{visitors,write-clicks}.test.ts`,
      `${BACKEND}/http/{analytics,redirect}.test.ts`,
      `${BACKEND}/store/sqlite.test.ts`,
    ],
  },
  redirects: {
    mutate: ['backend/src/redirects/{guessing-limit,link-cache,redirect-handler}.ts'],
    tests: [
      `${BACKEND}/domain/forward-query.test.ts`,
      `${BACKEND}/http/{enumeration,redirect}.test.ts`,
      `${BACKEND}/store/link-cache.test.ts`,
    ],
  },
  'queue-limits': {
    mutate: ['src/queue/limits.ts'],
    tests: [`${QUEUE}/*.test.ts`],
  },
  'queue-results': {
    mutate: ['src/queue/{probe,result}.ts'],
    tests: [`${QUEUE}/{finished,look-up,probe,result}.test.ts`],
  },
  'queue-status': {
    mutate: ['src/queue/status.ts'],
    tests: [`${QUEUE}/{connection,list-requests,status}.test.ts`],
  },
  queue: {
    mutate: ['src/queue/{accept,next-step,sending,user-actions}.ts'],
    tests: [`${QUEUE}/*.test.ts`],
  },
};
