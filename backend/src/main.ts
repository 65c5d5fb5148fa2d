import manifest from '../package.json' with { type: 'json' };
import {
  accountRows,
  createAccount,
  deleteAccount,
  disableAccount,
  enableAccount,
  type Inviter,
  resetAccount,
  setupLink,
} from './commands/account-commands.ts';
import { backUp, restore } from './commands/backup-and-restore.ts';
import {
  type CommandName,
  commandMeant,
  type Operand,
  type Order,
  readCommandLine,
  USAGE,
  UsageError,
  usageOf,
} from './commands/cli.ts';
import { createKey, deleteLink, listKeys, readAccess, revokeKey, table } from './commands/key-and-link-commands.ts';
import { serve } from './commands/serve.ts';
import {
  type Config,
  ConfigError,
  QuotaText,
  readConfig,
  readDatabaseAddress,
  ThrottleText,
} from './config/environment.ts';
import { systemRandom } from './domain/clock-and-random.ts';
import { FileError } from './files/atomic-file.ts';
import { move } from './move-database/move-database.ts';
import { undoMove } from './move-database/moved-away-mark.ts';
import { openExisting } from './store/existing-database.ts';
import { type Store, StoreError, StoreFull, StoreUnavailable } from './store/interface/store.ts';
import type { DatabaseAddress } from './store/open-store.ts';

/** Exit codes of sysexits.h where it has one. */
const EXIT = { failure: 1, usage: 2, config: 78 } as const;

async function main(words: readonly string[]): Promise<void> {
  const line = readCommandLine(words);
  if (line === 'help') return print(USAGE);
  if (line === 'version') return print(manifest.version);
  return RUN[line.command](line);
}

const RUN: Record<CommandName, (order: Order) => Promise<void>> = {
  serve: () => serve(readConfig(process.env), manifest.version),
  'keys create': ({ options }) => {
    const { name = '', scopes, 'own-links': ownLinks } = options;
    const quota = number(QuotaText, '--quota', options.quota);
    const throttle = number(ThrottleText, '--throttle', options.throttle);
    const key = { name, quota, throttle, ...readAccess(scopes, ownLinks) };
    return withStore(async (store) => print(await createKey(store, systemRandom, key, Date.now())));
  },
  'keys list': () => withStore(async (store) => print(await listKeys(store))),
  'keys revoke': ({ operands: { ID } }) => withStore((store) => revokeKey(store, ID, Date.now())),
  'accounts setup': () => withInviter(setupLink),
  'accounts create': ({ options: { name = '' } }) => withInviter((inviter) => createAccount(inviter, name)),
  'accounts reset': ({ operands: { ID } }) => withInviter((inviter) => resetAccount(inviter, ID)),
  'accounts list': () => withStore(async (store) => print(table(await accountRows(store)))),
  'accounts disable': ({ operands: { ID } }) => withStore((store) => disableAccount(store, ID, Date.now())),
  'accounts enable': ({ operands: { ID } }) => withStore((store) => enableAccount(store, ID)),
  'accounts delete': ({ operands: { ID } }) => withStore((store) => deleteAccount(store, ID, Date.now())),
  'links delete': ({ operands: { CODE } }) => withStore((store) => deleteLink(store, CODE, Date.now())),
  backup: ({ operands: { FILE } }) => backUp(readConfig(process.env), FILE, Date.now()),
  restore: ({ operands: { FILE } }) => restore(readConfig(process.env), FILE),
  move: ({ operands: { FROM, TO } }) => moveDatabase(FROM, TO),
  'move --undo': async ({ operands: { DATABASE } }) => {
    await undoMove(address(DATABASE, 'DATABASE'));
    print('This database can be used again. What was made in the other one since is not in here.');
  },
  health: async () => void (await import('./healthcheck.ts')),
};

async function moveDatabase(from: string, to: string): Promise<void> {
  const { journalDirectory } = readConfig(process.env);
  const rows = await move({
    from: address(from, 'FROM'),
    to: address(to, 'TO'),
    journalDirectory,
    now: Date.now(),
    tell: (line) => process.stderr.write(`${line}\n`),
  });
  const done =
    rows === null
      ? 'This database was moved to that one before, but that was cut off before the first was marked as moved away. It is now.'
      : `${rows.toLocaleString('en')} rows are the same in both databases.`;
  print(`${done} Set TERSE_DATABASE to the new one.`);
}

/** A mistake in it is one on the command line, though it is written as in the settings. */
function address(text: string, operand: Operand): DatabaseAddress {
  try {
    return readDatabaseAddress(text, operand);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.sentences.join('\n')) : error;
  }
}

/** Makes a link to the dashboard, and prints it where there is one to make. */
async function withInviter(use: (inviter: Inviter) => Promise<string | null>): Promise<void> {
  const baseUrl = publicBaseUrl(readConfig(process.env));
  await withStore(async (store) => {
    const link = await use({ store, random: systemRandom, baseUrl, now: Date.now() });
    if (link) print(link);
  });
}

/** Where links to the dashboard lead. A port that the system chooses is known to the process that listens alone. */
function publicBaseUrl({ baseUrl, listen: { host, port } }: Config): string {
  if (baseUrl !== null) return baseUrl;
  if (port === 0)
    throw new UsageError('Set TERSE_BASE_URL to the address of the service, to which the link shall lead.');
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function number(schema: typeof QuotaText, option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const { data, error } = schema.safeParse(text);
  if (error) throw new UsageError(`${option} ${error.issues[0]?.message}.`);
  return data;
}

async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openExisting(readConfig(process.env).database, Date.now());
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** How the command that was meant is called; all commands where it cannot be told. */
function usageFor(words: readonly string[]): string {
  const command = commandMeant(words);
  return command ? `Usage:\n${usageOf(command)}\n\n--help lists all commands and settings.` : USAGE;
}

/** What to tell the operator, and the exit code; null for a fault of the program's own. */
function explain(error: unknown, words: readonly string[]): { lines: string[]; code: number } | null {
  if (error instanceof UsageError) return { lines: [error.message, '', usageFor(words)], code: EXIT.usage };
  if (error instanceof ConfigError) return { lines: error.sentences, code: EXIT.config };
  if (error instanceof StoreError || error instanceof FileError) return { lines: [error.message], code: EXIT.failure };
  if (error instanceof StoreUnavailable) return { lines: [unavailable(error)], code: EXIT.failure };
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return syscall === 'listen' || code === 'ENOTFOUND'
    ? { lines: [`Cannot listen: ${message}.`], code: EXIT.failure }
    : null;
}

/** The operator is told the reason, which a client of the service is not. */
function unavailable(error: StoreUnavailable): string {
  if (error instanceof StoreFull) return 'The disk of the database is full, so nothing can be saved.';
  const reason = (error.cause as Error).message.replace(/\.$/, '');
  return `The database cannot be used just now: ${reason}.`;
}

// Whatever it makes is for its owner alone: the database, journals, backups.
process.umask(0o077);
process.stdout.on('error', ({ message }) => {
  process.stderr.write(`What this command prints cannot be written: ${message}.\n`);
  process.exitCode = EXIT.failure;
});
const words = process.argv.slice(2);
try {
  await main(words);
} catch (error) {
  const explained = explain(error, words);
  if (!explained) throw error;
  process.stderr.write(`${explained.lines.join('\n')}\n`);
  process.exitCode = explained.code;
}
