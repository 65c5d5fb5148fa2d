import { parseArgs } from 'node:util';

export interface TortureOptions {
  /** Number of minutes to run. A run that is in progress at the end is completed. */
  minutes: number;
  /** Number of random inputs that each property test checks per run. */
  runs: number;
  /** Seed for a single run. If null, each run uses a new seed. */
  seed: number | null;
  /** Name of the only random test to run. If null, all of them run. */
  test: string | null;
  /**
   * Path of a new file in which random tests record every call to the service. If it is set, random tests that cannot
   * record calls are skipped.
   */
  record: string | null;
}

export const USAGE = `npm run torture -- [options]

  --minutes N               minutes to run (default: 5)
  --test NAME               run only this random test
  --record FILE             write every call to the service into a new file, for npm run check-history
  TERSE_SEED=N              run each random test once with this seed
  TERSE_PROPERTY_RUNS=N     random runs per property test (default: 500)`;

/** @throws OptionError with a message for the user */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): TortureOptions {
  const values = parse(args);
  const { TERSE_SEED: seed, TERSE_PROPERTY_RUNS: runs } = environment;
  return {
    minutes: readNumber(0, '--minutes', values.minutes ?? '5'),
    runs: readNumber(1, 'TERSE_PROPERTY_RUNS', runs ?? '500'),
    seed: seed === undefined ? null : readNumber(0, 'TERSE_SEED', seed),
    test: values.test ?? null,
    record: values.record ?? null,
  };
}

/** Error whose message tells the user how to use the options. */
export class OptionError extends Error {}

function parse(args: string[]) {
  const options = {
    minutes: { type: 'string' },
    test: { type: 'string' },
    record: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new OptionError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function readNumber(minimum: number, name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= minimum) return value;
  throw new OptionError(`${name} must be a number of at least ${minimum}, but is "${text}".`);
}
