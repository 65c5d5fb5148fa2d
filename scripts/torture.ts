// Runs every loop of scripts/torture with new seeds until the time is over, to find failures that the tests do not
// find. All loops get the same amount of time. At the end, the script prints each failure with the command that
// repeats it.
import { randomInt } from 'node:crypto';
import { loopsFor } from './torture/loops.ts';
import { OptionError, readOptions, type TortureOptions, USAGE } from './torture/options.ts';
import { type Failure, playLoops } from './torture/play.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  const loops = loopsFor(options);
  if (loops.length === 0) throw new OptionError(`There is no loop "${options.loop}".\n\n${USAGE}`);
  for (const loop of loops) await loop.prepare();
  const until = performance.now() + options.minutes * 60_000;
  const { plays, failures } = await playLoops(loops, {
    seed: options.seed,
    isOver: () => performance.now() >= until,
    nextSeed: () => randomInt(2 ** 31),
    tell: (line) => console.log(line),
  });
  for (const failure of failures) report(failure, options);
  const played = [...plays].map(([name, times]) => `${name} ${times} times`).join(', ');
  console.log(`${played}: ${failures.length === 0 ? 'no failure' : `${failures.length} failed`}.`);
  if (failures.length > 0) process.exitCode = 1;
}

function report({ loop, seed, broken }: Failure, options: TortureOptions): void {
  console.error(`\nBROKEN ${loop}, seed ${seed}`);
  for (const sentence of broken) console.error(`       ${sentence}`);
  console.error(`Again: ${again(loop, seed, options)}`);
}

function again(loop: string, seed: number, { runs, only }: TortureOptions): string {
  const environment = loop === 'properties' ? `TERSE_SEED=${seed} TERSE_PROPERTY_RUNS=${runs}` : `TERSE_SEED=${seed}`;
  return [environment, 'npm run torture --', '--loop', loop, ...only].join(' ');
}

try {
  await main();
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
