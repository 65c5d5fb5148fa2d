// Looks for what nobody has seen yet: plays every loop of scripts/torture, each time from a new seed, for as long as it is
// told to. Each loop gets the same share of the time. A failure says how to play it again; once it is understood, it becomes
// a fixed case.
import { randomInt } from 'node:crypto';
import type { Findings, Loop } from './torture/loop.ts';
import { loopsFor } from './torture/loops.ts';
import { OptionError, readOptions, type TortureOptions, USAGE } from './torture/options.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  const loops = loopsFor(options);
  if (loops.length === 0) throw new OptionError(`There is no loop "${options.loop}".\n\n${USAGE}`);
  for (const loop of loops) await loop.prepare();
  const turns: Turn[] = loops.map((loop) => ({ loop, seconds: 0, plays: 0 }));
  const until = performance.now() + options.minutes * 60_000;

  if (options.seed !== null) {
    for (const turn of turns) if (!(await play(turn, options.seed, options))) return;
  } else {
    do {
      const [turn] = turns.toSorted((one, other) => one.seconds - other.seconds);
      if (!turn || !(await play(turn, randomInt(2 ** 31), options))) return;
    } while (performance.now() < until);
  }
  console.log(`${turns.map(({ loop, plays }) => `${loop.name} ${plays} times`).join(', ')}: no failure.`);
}

/** A loop, and what it has had of the time. */
interface Turn {
  loop: Loop;
  seconds: number;
  plays: number;
}

/** Plays a loop once and tells of it; whether every promise was kept. */
async function play(turn: Turn, seed: number, options: TortureOptions): Promise<boolean> {
  const { loop } = turn;
  const started = performance.now();
  const { broken, played } = await loop.play(seed).catch(unfinished);
  const took = (performance.now() - started) / 1000;
  turn.seconds += took;
  turn.plays += 1;
  console.log(
    `${broken.length === 0 ? 'kept  ' : 'BROKEN'} ${loop.name}, seed ${seed}, ${took.toFixed(0)} s: ${played}`,
  );
  if (broken.length === 0) return true;
  for (const sentence of broken) console.error(`       ${sentence}`);
  console.error(`Again: ${again(loop, seed, options)}`);
  process.exitCode = 1;
  return false;
}

function unfinished(error: Error): Findings {
  return { broken: [error.stack ?? String(error)], played: 'not to its end' };
}

/** The command that plays a failure again. */
function again({ name }: Loop, seed: number, { runs, only }: TortureOptions): string {
  const environment = name === 'properties' ? `TERSE_SEED=${seed} TERSE_PROPERTY_RUNS=${runs}` : `TERSE_SEED=${seed}`;
  return [environment, 'npm run torture --', '--loop', name, ...only].join(' ');
}

try {
  await main();
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
