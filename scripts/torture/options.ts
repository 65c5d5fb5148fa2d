import { parseArgs } from 'node:util';

export interface TortureOptions {
  /** Minutes to run. A run that has started is finished. */
  minutes: number;
  /** Number of random histories per property test and run. */
  runs: number;
  /** Seed for a single run. Null to use new seeds. */
  seed: number | null;
  /** Name of the only loop to run. Null to run all loops. */
  loop: string | null;
  browsers: ('chromium' | 'firefox')[];
  /** Folders or files whose property tests run. An empty list runs all property tests. */
  only: string[];
}

export const USAGE = `npm run torture -- [options] [folders or files whose properties are played]

  --minutes N               how long to go on; 5 unless told
  --loop NAME               plays this loop alone
  --browser chromium        plays the loops of this browser alone, or of firefox
  TERSE_SEED=N              plays this seed, once
  TERSE_PROPERTY_RUNS=N     histories that a property of the queues is tried on each time; 500 unless told`;

/** @throws OptionError with a message for the user */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): TortureOptions {
  const { values, positionals } = parse(args);
  const { TERSE_SEED: seed, TERSE_PROPERTY_RUNS: runs } = environment;
  return {
    minutes: atLeast(0, '--minutes', values.minutes ?? '5'),
    runs: atLeast(1, 'TERSE_PROPERTY_RUNS', runs ?? '500'),
    seed: seed === undefined ? null : atLeast(0, 'TERSE_SEED', seed),
    loop: values.loop ?? null,
    browsers: browsersOf(values.browser),
    only: positionals,
  };
}

/** Error whose message tells the user the correct option. */
export class OptionError extends Error {}

function parse(args: string[]) {
  const options = { minutes: { type: 'string' }, loop: { type: 'string' }, browser: { type: 'string' } } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new OptionError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function browsersOf(name: string | undefined): TortureOptions['browsers'] {
  if (name === undefined) return ['chromium', 'firefox'];
  if (name === 'chromium' || name === 'firefox') return [name];
  throw new OptionError(`--browser must be chromium or firefox; it is "${name}".`);
}

function atLeast(least: number, name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least) return value;
  throw new OptionError(`${name} must be a number, at least ${least}; it is "${text}".`);
}
