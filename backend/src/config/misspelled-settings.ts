import { closestMatch } from 'leven';

/** Settings of this repository's other programs, which may stand in the same environment. */
const ELSEWHERE = ['CHROMIUM', 'FIREFOX', 'POSTGRES_BIN', 'PROPERTY_RUNS', 'SEED'].map((name) => `TERSE_${name}`);

/** What Kubernetes and linked containers put into the environment for a service that is called `terse`. */
const INJECTED = /^TERSE_(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP)(_(ADDR|PORT|PROTO))?)$/;

/** How many letters a name may differ from one that exists, to be taken for it. */
const NEAR = 4;

/**
 * A sentence for every `TERSE_` variable, in whatever letters, that is not a setting: mistyped, it would be ignored, and
 * what it was to forbid would be allowed.
 *
 * @param known the names of all settings
 */
export function unknownSettings(environment: Record<string, string>, known: readonly string[]): string[] {
  return Object.entries(environment)
    .filter(
      ([name, value]) => name.toUpperCase().startsWith('TERSE_') && !known.includes(name) && !isForeign(name, value),
    )
    .map(([name]) => `${name} is not a setting.${suggestion(name.toUpperCase(), known)}`);
}

function isForeign(name: string, value: string): boolean {
  return ELSEWHERE.includes(name) || INJECTED.test(name) || (name.endsWith('_PORT') && /^(tcp|udp):\/\//.test(value));
}

function suggestion(name: string, known: readonly string[]): string {
  const nearest =
    known.find((candidate) => candidate === name) ??
    known.find((candidate) => hasWordsOf(candidate, name) || hasWordsOf(name, candidate)) ??
    closestMatch(name, known, { maxDistance: NEAR });
  return nearest ? ` Did you mean ${nearest}?` : '';
}

/** Whether one name is the other with words left out. */
function hasWordsOf(long: string, short: string): boolean {
  const words = new Set(long.split('_'));
  return short.split('_').every((word) => words.has(word));
}
