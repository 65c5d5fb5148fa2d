/**
 * True in `npm run test:all`, which also runs what rarely finds anything that the other tests miss: each flow of pages
 * in the second browser, each language and each width of the pages, the HTTP tests on the second database, and
 * the cluster.
 */
export const ALL_TESTS = process.env.TERSE_ALL_TESTS === '1';
