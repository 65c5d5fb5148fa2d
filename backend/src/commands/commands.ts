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
