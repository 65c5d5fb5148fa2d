// Loaded before the program (`node --import`), this makes another version of it: one that knows the schema's steps up to
// STEPS_UP_TO alone, or one that knows those of the module STEPS_FROM too.
import { rewriteModule } from './rewrite-module.ts';

const { STEPS_UP_TO = 'Infinity', STEPS_FROM } = process.env;
const LIST = /export const MIGRATIONS: readonly Migration\[\] = \[([^\]]*)\];/;

rewriteModule('/src/store/migrations/all-migrations.ts', LIST, (source) => {
  const more = STEPS_FROM
    ? `import { STEPS as LATER_STEPS } from '${STEPS_FROM}';`
    : 'const LATER_STEPS: Migration[] = [];';
  const list = `export const MIGRATIONS: readonly Migration[] = [$1, ...LATER_STEPS].filter(({ id }) => id <= ${STEPS_UP_TO});`;
  return `${more}\n${source.replace(LIST, list).replaceAll(',\n,', ',')}`;
});
