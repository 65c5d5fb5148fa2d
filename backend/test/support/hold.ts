// Loaded before the program (`node --import`), this holds it at one place of its source until somebody ends it: whoever
// is to meet it there cannot come too late. What it does there is written in the environment.
import { rewriteModule } from './rewrite-module.ts';

const { HOLD_IN = '', HOLD_AFTER = '', HOLD_WHILE = '' } = process.env;
const escaped = HOLD_AFTER.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

rewriteModule(HOLD_IN, new RegExp(escaped), (source) =>
  source.replace(
    HOLD_AFTER,
    `${HOLD_AFTER} while (${HOLD_WHILE}) await new Promise((resolve) => setTimeout(resolve, 5));`,
  ),
);
