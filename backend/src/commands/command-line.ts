import { parseArgs } from 'node:util';
import {
  COMMANDS,
  type CommandName,
  FLAGS,
  type Flag,
  formOf,
  isTextOption,
  neededBy,
  type Operand,
  TEXT_OPTIONS,
  type TextOption,
  typed,
} from './commands.ts';
import { UsageError } from './usage-error.ts';

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
