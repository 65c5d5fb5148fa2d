import type { Findings, Loop } from './loop.ts';

/** A run that broke a promise to the user. */
export interface Failure {
  loop: string;
  seed: number;
  broken: string[];
}

export interface Result {
  plays: Map<string, number>;
  failures: Failure[];
}

export interface PlayOptions {
  /** Seed of a single run of every loop. Null to use new seeds until `isOver` returns true. */
  seed: number | null;
  isOver: () => boolean;
  nextSeed: () => number;
  tell: (line: string) => void;
}

/** Number of failures after which a loop stops, because a loop that always fails would only repeat itself. */
const MAX_FAILURES = 10;

interface Turn {
  loop: Loop;
  seconds: number;
  plays: number;
  failures: number;
}

/** Runs the loops for equal amounts of time, and continues after a failure. */
export async function playLoops(loops: Loop[], { seed, isOver, nextSeed, tell }: PlayOptions): Promise<Result> {
  const turns: Turn[] = loops.map((loop) => ({ loop, seconds: 0, plays: 0, failures: 0 }));
  const failures: Failure[] = [];
  const playNext = async (turn: Turn, from: number) => {
    const broken = await play(turn, from, tell);
    if (broken.length > 0) failures.push({ loop: turn.loop.name, seed: from, broken });
  };
  if (seed !== null) {
    for (const turn of turns) await playNext(turn, seed);
  } else {
    do {
      const left = turns.filter((turn) => turn.failures < MAX_FAILURES);
      const [turn] = left.toSorted((one, other) => one.seconds - other.seconds);
      if (!turn) break;
      await playNext(turn, nextSeed());
    } while (!isOver());
  }
  return { plays: new Map(turns.map(({ loop, plays }) => [loop.name, plays])), failures };
}

async function play(turn: Turn, seed: number, tell: PlayOptions['tell']): Promise<string[]> {
  const started = performance.now();
  const { broken, played } = await turn.loop.play(seed).catch(unfinished);
  const took = (performance.now() - started) / 1000;
  turn.seconds += took;
  turn.plays += 1;
  if (broken.length > 0) turn.failures += 1;
  const verdict = broken.length === 0 ? 'kept  ' : 'BROKEN';
  tell(`${verdict} ${turn.loop.name}, seed ${seed}, ${took.toFixed(0)} s: ${played}`);
  return broken;
}

function unfinished(error: Error): Findings {
  return { broken: [error.stack ?? String(error)], played: 'not to its end' };
}
