// Module for `node --import` that simulates another version of the program. STEPS_UP_TO removes later migrations.
// STEPS_FROM is a module with additional migrations.

import type { Migration } from '../../src/store/migrations/all-migrations.ts';
import { MIGRATIONS } from '../../src/store/migrations/all-migrations.ts';

const { STEPS_UP_TO = 'Infinity', STEPS_FROM } = process.env;

const added: Migration[] = STEPS_FROM ? (await import(STEPS_FROM)).STEPS : [];
const known = [...MIGRATIONS, ...added].filter(({ id }) => id <= Number(STEPS_UP_TO));
(MIGRATIONS as Migration[]).splice(0, MIGRATIONS.length, ...known);
