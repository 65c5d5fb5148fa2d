import { parseArgs } from 'node:util';

/** What follows a command, by the word for it in the usage. */
export type Operand = 'FILE' | 'ID' | 'CODE' | 'FROM' | 'TO' | 'DATABASE';

/** How a command is called. */
export interface CommandForm {
  /** What it does, for `--help`. */
  does: string;
  /** Options it cannot do without, then what follows it. */
  needs?: readonly TextOption[];
  operands?: readonly Operand[];
  /** Options it can do without, and what each does, for `--help`. */
  takes?: Partial<Record<TextOption | Flag, string>>;
}

/** Options with a value, and how the usage shows it. */
export const TEXT_OPTIONS = {
  name: 'NAME',
  quota: 'N',
  throttle: 'N',
  scopes: 'create,read',
} as const;
export type TextOption = keyof typeof TEXT_OPTIONS;

/** Options without a value. */
export const FLAGS = ['own-links', 'undo'] as const;
export type Flag = (typeof FLAGS)[number];

/** Every command, in the order of `--help`. A flag in its name is one that it cannot do without. */
export const COMMANDS = {
  serve: { does: 'answer the API and the short URLs' },
  'keys create': {
    does: 'make an API key and print it, this once',
    needs: ['name'],
    takes: {
      quota: 'its own requests a day',
      throttle: 'its own requests a second',
      scopes: 'all it may do, of create, read and manage (all three)',
      'own-links': 'only with links it made itself',
    },
  },
  'keys list': { does: 'list the API keys' },
  'keys revoke': { does: 'revoke an API key, for ever', operands: ['ID'] },
  'accounts setup': { does: 'print a link to set up the first account, unless somebody has' },
  'accounts create': { does: 'make an account and print a link to take it over', needs: ['name'] },
  'accounts reset': { does: 'print a link to choose a new password for an account', operands: ['ID'] },
  'accounts list': { does: 'list the accounts' },
  'accounts disable': { does: 'shut an account out: no sign-in, no keys; its links go on', operands: ['ID'] },
  'accounts enable': { does: 'let a disabled account in again', operands: ['ID'] },
  'accounts delete': { does: 'remove an account with all its links and keys, for ever', operands: ['ID'] },
  'links delete': { does: 'take a link down, for ever', operands: ['CODE'] },
  backup: { does: 'write everything into one new file, also while it serves', operands: ['FILE'] },
  restore: { does: 'put a backup where there is no database yet', operands: ['FILE'] },
  move: { does: 'move everything from one database that nobody serves to an empty one', operands: ['FROM', 'TO'] },
  'move --undo': {
    does: 'let a database be used again that was moved to another one',
    operands: ['DATABASE'],
  },
  health: { does: 'succeed if the service that runs takes requests' },
} as const satisfies Record<string, CommandForm>;

export type CommandName = keyof typeof COMMANDS;

export function formOf(name: CommandName): CommandForm {
  return COMMANDS[name];
}

/** What a command cannot do without, as it is typed. */
export function neededBy(name: CommandName): string[] {
  const { needs = [], operands = [] } = formOf(name);
  return [...needs.map(typed), ...operands];
}

/** An option as it is typed, with the word for its value. */
export function typed(option: TextOption | Flag): string {
  return isTextOption(option) ? `--${option} ${TEXT_OPTIONS[option]}` : `--${option}`;
}

export function isTextOption(option: string): option is TextOption {
  return Object.hasOwn(TEXT_OPTIONS, option);
}

/** A mistake on the command line, in a sentence for the one who typed it. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export type Options = { [Name in TextOption]?: string } & { [Name in Flag]?: true };

/** A command as it was typed, with all that it needs and nothing it does not take. */
export interface Order {
  command: CommandName;
  /** Those of its form. */
  operands: Record<Operand, string>;
  options: Options;
}

/** What was typed behind the program's name: a command, or a question about the program. */
export type CommandLine = 'help' | 'version' | Order;

/**
 * Reads a command line.
 *
 * @throws UsageError saying what is missing, misspelt or too much
 */
export function readCommandLine(words: readonly string[]): CommandLine {
  const { positionals, tokens } = parse(words);
  // As they were typed: Node takes one word apart into several options, and a code may be such a word.
  const named = tokens.flatMap((token) =>
    token.kind === 'option' ? [{ ...token, word: words[token.index] ?? '' }] : [],
  );
  if (named.some(({ word }) => word === '-h' || word === '--help')) return 'help';
  if (named.some(({ word }) => word === '--version')) return 'version';
  const options = readOptions(named);
  const command = commandIn(positionals, options.undo);
  refuseForeign(command, options);
  const given = positionals.slice(wordsOf(command).length);
  return { command, operands: readOperands(command, given, options), options };
}

/** The command that is meant, as far as it can be told; null where it cannot. */
export function commandMeant(words: readonly string[]): CommandName | null {
  const { positionals, values } = parse(words);
  return findCommand(positionals, values.undo === true);
}

function parse(words: readonly string[]) {
  const text = Object.keys(TEXT_OPTIONS).map((name) => [name, { type: 'string' as const }]);
  const flags = [...FLAGS, 'version'].map((name) => [name, { type: 'boolean' as const }]);
  const options = { ...Object.fromEntries([...text, ...flags]), help: { type: 'boolean', short: 'h' } } as const;
  // Not strictly: Node's own sentences are for programmers.
  return parseArgs({ args: [...words], allowPositionals: true, strict: false, tokens: true, options });
}

type OptionToken = Extract<NonNullable<ReturnType<typeof parse>['tokens']>[number], { kind: 'option' }> & {
  word: string;
};

function readOptions(tokens: readonly OptionToken[]): Options {
  const options: Options = {};
  for (const { name, rawName, value, inlineValue, word } of tokens) {
    if (!word.startsWith('--')) {
      throw new UsageError(`There is no option ${word}. What begins with a hyphen and is no option goes behind "--".`);
    }
    if (Object.hasOwn(options, name)) throw new UsageError(`${rawName} is given twice.`);
    if (isTextOption(name)) {
      // What looks like the next option is one. A value that does, too, is written `--name=--x`.
      if (value === undefined || (!inlineValue && /^--?[a-z]/i.test(value))) {
        throw new UsageError(`${rawName} needs a value: ${typed(name)}.`);
      }
      options[name] = value;
    } else if (value !== undefined && (isFlag(name) || isQuestion(name))) {
      throw new UsageError(`${rawName} takes no value.`);
    } else if (isFlag(name)) {
      options[name] = true;
    } else {
      throw new UsageError(`There is no option ${rawName}.`);
    }
  }
  return options;
}

function isQuestion(name: string): boolean {
  return name === 'help' || name === 'version';
}

function isFlag(name: string): name is Flag {
  return FLAGS.some((flag) => flag === name);
}

function commandIn(positionals: readonly string[], undo = false): CommandName {
  const found = findCommand(positionals, undo);
  if (found) return found;
  const [first, second] = positionals;
  if (first === undefined) throw new UsageError('No command given.');
  const actions = Object.keys(COMMANDS).flatMap((name) => (name.startsWith(`${first} `) ? [name.split(' ')[1]] : []));
  if (actions.length === 0) throw new UsageError(`There is no command "${first}".`);
  const known = new Intl.ListFormat('en', { type: 'disjunction' }).format(actions.map((action) => `"${action}"`));
  throw new UsageError(
    second === undefined
      ? `"${first}" is no whole command: ${known} is missing.`
      : `There is no command "${first} ${second}". After "${first}" comes ${known}.`,
  );
}

function findCommand(positionals: readonly string[], undo: boolean): CommandName | null {
  const isTyped = (name: CommandName) => wordsOf(name).every((word, at) => positionals[at] === word);
  const found = (Object.keys(COMMANDS) as CommandName[]).filter(isTyped);
  return found.find((name) => name.endsWith(' --undo') === undo) ?? found[0] ?? null;
}

/** The words of a command that are no options. */
function wordsOf(command: CommandName): string[] {
  return command.split(' ').filter((word) => !word.startsWith('--'));
}

function refuseForeign(command: CommandName, options: Options): void {
  const { needs = [], takes = {} } = formOf(command);
  const own = [...needs, ...Object.keys(takes)];
  for (const name of Object.keys(options)) {
    if (own.some((one) => one === name) || command.split(' ').includes(`--${name}`)) continue;
    throw new UsageError(`"${command}" takes no --${name}.`);
  }
}

function readOperands(command: CommandName, given: readonly string[], options: Options): Order['operands'] {
  const { needs = [], operands = [] } = formOf(command);
  const missing = [
    ...needs.filter((name) => options[name] === undefined).map(typed),
    ...operands.filter((_, at) => !given[at]),
  ];
  if (missing.length > 0) {
    const list = new Intl.ListFormat('en').format(missing);
    throw new UsageError(`${list} ${missing.length > 1 ? 'are' : 'is'} missing after "${command}".`);
  }
  const extra = given[operands.length];
  if (extra !== undefined) {
    throw new UsageError(`There is no place for "${extra}" in "${[command, ...neededBy(command)].join(' ')}".`);
  }
  return Object.fromEntries(operands.map((operand, at) => [operand, given[at]])) as Order['operands'];
}

/** The width of what is typed, before what it does. */
const WIDTH = 31;

/** How a command is called and what it does, one line for it and one for each option it can do without. */
export function usageOf(name: CommandName): string {
  const { does, takes = {} } = formOf(name);
  const options = Object.entries(takes).map(
    ([option, brings]) => `${' '.repeat(5)}[${typed(option as TextOption | Flag)}]`.padEnd(WIDTH) + brings,
  );
  return [[name, ...neededBy(name)].join(' ').padEnd(WIDTH) + does, ...options].map((line) => `  ${line}`).join('\n');
}

/** What `--help` prints. */
export const USAGE = `Usage:
${(Object.keys(COMMANDS) as CommandName[]).map(usageOf).join('\n')}
  --help, --version              print this, or the version

Environment variables, and what holds without them:
  TERSE_LISTEN=127.0.0.1:8787        where the API answers
  TERSE_SHORT_LISTEN=127.0.0.1:8788  where short URLs answer
  TERSE_METRICS_LISTEN=              where metrics are served (nowhere)
  TERSE_BASE_URL=, TERSE_SHORT_BASE_URL=
                                     what the public calls them (the listeners' addresses)
  TERSE_DATABASE=file:./data/terse.db
                                     or postgres://USER:PASSWORD@HOST/DATABASE
  TERSE_DATABASE_CONNECTIONS=10      connections a process may hold to PostgreSQL
  TERSE_CACHED_LINKS=10000           links a process keeps in memory
  TERSE_DAILY_QUOTA=20               requests a key may send in a UTC day
  TERSE_THROTTLE=1                   requests a key may send in a second
  TERSE_ACCOUNT_QUOTA=               requests for links an invited account may send in a UTC day (50 times the daily quota)
  TERSE_IMPORT_QUOTA=10000           rows of files an invited account may import in a UTC day
  TERSE_ALLOW_PRIVATE_TARGETS=false  whether links may lead to private addresses
  TERSE_BLOCKED_HOSTS_FILE=          a list of hosts that links must not lead to
  TERSE_TRUSTED_PROXIES=             proxies that are believed about their clients, such as 10.0.0.0/8
  TERSE_PROXY_HEADER=x-forwarded-for or forwarded, the one header in which they name the client
  TERSE_COUNTRY_HEADER=              in which such a proxy says the visitor's country
  TERSE_HOME_URL=                    where the short host without a code leads (nowhere: 404)
  TERSE_UNKNOWN_PAGE=, TERSE_GONE_PAGE=
                                     own pages for 404 and 410: file:PATH, or an address to lead to
  TERSE_ROBOTS_FILE=                 the robots.txt of the short host (everything may be opened)
  TERSE_SECURITY_FILE=               the security.txt of both hosts (none)
  TERSE_DAILY_COUNTS_MONTHS=         months for which clicks are kept by the day, then by the month (for ever)
  TERSE_JOURNAL_DIR=                 where clicks wait to be counted (beside the database)`;
