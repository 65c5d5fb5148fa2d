/**
 * Environment variables that other programs in this repository use. Developers may set these variables in the same
 * shell.
 */
const OTHER_PROGRAMS = ['CHROMIUM', 'FIREFOX', 'POSTGRES_BIN', 'PROPERTY_RUNS', 'SEED'].map((name) => `TERSE_${name}`);

/** Environment variables that Kubernetes and Docker set automatically for a service named `terse`. */
const INJECTED = /^TERSE_(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP)(_(ADDR|PORT|PROTO))?)$/;

/**
 * Returns a message for each environment variable that starts with `TERSE_` but is not a setting. Misspelled settings
 * must be reported, because otherwise the service could run without an intended restriction.
 *
 * @param known names of all settings
 */
export function unknownSettings(environment: Record<string, string>, known: readonly string[]): string[] {
  return Object.entries(environment)
    .filter(
      ([name, value]) => name.toUpperCase().startsWith('TERSE_') && !known.includes(name) && !isForeign(name, value),
    )
    .map(([name]) => `${name} is not a setting. ${suggestion(name.toUpperCase(), known)}`);
}

function isForeign(name: string, value: string): boolean {
  return (
    OTHER_PROGRAMS.includes(name) || INJECTED.test(name) || (name.endsWith('_PORT') && /^(tcp|udp):\/\//.test(value))
  );
}

function suggestion(name: string, known: readonly string[]): string {
  const similar =
    known.find((candidate) => candidate === name) ??
    known.find((candidate) => hasWordsOf(candidate, name) || hasWordsOf(name, candidate));
  return similar ? `Did you mean ${similar}?` : 'The option --help lists all settings.';
}

function hasWordsOf(long: string, short: string): boolean {
  const words = new Set(long.split('_'));
  return short.split('_').every((word) => words.has(word));
}
