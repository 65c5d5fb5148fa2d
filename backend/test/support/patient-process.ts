// Loaded before the program (`node --import`), this gives its database as long as the tests give theirs, and a stop too.
import { PATIENT } from './patient.ts';
import { rewriteModule } from './rewrite-module.ts';

const DEADLINES = /(export const DEADLINES: [^=]+= )Object\.freeze\([^)]*\);/;

rewriteModule('/src/store/postgres/retries-and-deadlines.ts', DEADLINES, (source) =>
  source.replace(DEADLINES, `$1${JSON.stringify(PATIENT)};`),
);

const FINISH = /finish: [\d_]+,/;
rewriteModule('/src/http/timeouts.ts', FINISH, (source) => source.replace(FINISH, `finish: ${PATIENT.write},`));
