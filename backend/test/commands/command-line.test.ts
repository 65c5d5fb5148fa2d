import { describe, expect, it } from 'vitest';
import {
  COMMANDS,
  type CommandName,
  commandMeant,
  formOf,
  neededBy,
  readCommandLine,
  USAGE,
  UsageError,
  usageOf,
} from '../../src/commands/cli.ts';

const NAMES = Object.keys(COMMANDS) as CommandName[];

/** A command with all it needs, as it is typed. */
const whole = (name: CommandName) => [name, ...neededBy(name)].join(' ').split(' ');

/** The sentence with which a command line is refused; null where it is taken. */
function mistakeIn(words: readonly string[]): string | null {
  try {
    readCommandLine(words);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

describe.each(NAMES)('the command "%s"', (name) => {
  const { needs = [], operands = [], takes = {} } = formOf(name);

  it('is taken with what it needs, which the usage says', () => {
    const options = Object.fromEntries(needs.map((option) => [option, option.toUpperCase()]));
    const given = Object.fromEntries(operands.map((operand) => [operand, operand]));
    const flags = name.endsWith(' --undo') ? { undo: true } : {};
    expect(readCommandLine(whole(name))).toEqual({ command: name, operands: given, options: { ...options, ...flags } });
    expect(USAGE).toContain(usageOf(name));
    expect(usageOf(name).startsWith(`  ${whole(name).join(' ')}  `)).toBe(true);
  });

  it('names whatever it misses', () => {
    const bare = name.split(' ');
    const missing = neededBy(name);
    if (missing.length === 0) return expect(mistakeIn(bare)).toBeNull();
    const sentence = mistakeIn(bare) ?? '';
    expect(sentence).toMatch(new RegExp(`^.+ (is|are) missing after "${name}"\\.$`));
    for (const part of missing) expect(sentence).toContain(part);
    // One that is empty is missing, too: a variable of the shell was not set.
    if (operands.length > 0) {
      const last = operands.at(-1);
      expect(mistakeIn([...whole(name).slice(0, -1), ''])).toBe(`${last} is missing after "${name}".`);
    }
  });

  it('takes nothing more', () => {
    expect(mistakeIn([...whole(name), 'more'])).toBe(`There is no place for "more" in "${whole(name).join(' ')}".`);
  });

  it('takes no option of another command', () => {
    const all = { name: ['x'], quota: ['1'], throttle: ['1'], scopes: ['read'], 'own-links': [], undo: [] };
    for (const [option, value] of Object.entries(all)) {
      const isOwn = option in takes || needs.some((one) => one === option) || name.includes(`--${option}`);
      // By that it is another command.
      if (isOwn || (name === 'move' && option === 'undo')) continue;
      expect(mistakeIn([...whole(name), `--${option}`, ...value])).toBe(`"${name}" takes no --${option}.`);
    }
  });

  it('is told though it is wrong, so that its own usage can be shown', () => {
    expect(commandMeant([...name.split(' '), '--bogus', 'more'])).toBe(name);
  });
});

it.each([
  ['', 'No command given.'],
  ['bogus', 'There is no command "bogus".'],
  ['constructor', 'There is no command "constructor".'],
  ['key', 'There is no command "key".'],
  ['keys', '"keys" is no whole command: "create", "list", or "revoke" is missing.'],
  ['keys bogus', 'There is no command "keys bogus". After "keys" comes "create", "list", or "revoke".'],
  ['links', '"links" is no whole command: "delete" is missing.'],
  ['move', 'FROM and TO are missing after "move".'],
  ['move a', 'TO is missing after "move".'],
  ['move a b --undo', 'There is no place for "b" in "move --undo DATABASE".'],
  ['keys create laptop', '--name NAME is missing after "keys create".'],
  ['keys create --nmae a', 'There is no option --nmae.'],
  ['keys create --name', '--name needs a value: --name NAME.'],
  ['keys create --name --quota 5', '--name needs a value: --name NAME.'],
  ['keys create --name a --name b', '--name is given twice.'],
  ['keys create --name a --own-links=no', '--own-links takes no value.'],
  ['keys create --name a --own-links no', 'There is no place for "no" in "keys create --name NAME".'],
  ['keys create --name a --__proto__ b', 'There is no option --__proto__.'],
  ['links delete -abc', 'There is no option -abc. What begins with a hyphen and is no option goes behind "--".'],
  ['links delete -xh7', 'There is no option -xh7. What begins with a hyphen and is no option goes behind "--".'],
  ['links delete -h12', 'There is no option -h12. What begins with a hyphen and is no option goes behind "--".'],
  ['backup a --help=b', '--help takes no value.'],
  ['backup a --version=b', '--version takes no value.'],
  ['--undo', 'No command given.'],
])('refuses "%s" with a sentence of its own', (line, sentence) => {
  expect(mistakeIn(line.split(' ').filter(Boolean))).toBe(sentence);
});

it('takes two words for a command that were typed as two', () => {
  expect(mistakeIn(['keys create', 'more', '--name', 'a'])).toBe('There is no command "keys create".');
});

it.each([
  ['links delete -- -abc', { CODE: '-abc' }, {}],
  ['move -- --undo file:a', { FROM: '--undo', TO: 'file:a' }, {}],
  ['keys create --name=--x --quota -1', {}, { name: '--x', quota: '-1' }],
  ['--name a keys create --own-links', {}, { name: 'a', 'own-links': true }],
])('takes "%s"', (line, operands, options) => {
  expect(readCommandLine(line.split(' '))).toMatchObject({ operands, options });
});

it.each([
  ['--help', 'help'],
  ['-h', 'help'],
  ['keys --help', 'help'],
  ['links delete -xh7 -h', 'help'],
  ['backup --bogus --help', 'help'],
  ['--version', 'version'],
])('answers the question "%s"', (line, question) => {
  expect(readCommandLine(line.split(' '))).toBe(question);
});
