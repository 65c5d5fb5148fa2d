import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { accountRows, CHANGES, createAccount, type Inviter, resetAccount, setupLink } from './commands/accounts.ts';
import { backUp, restore } from './commands/backup.ts';
import { createKey, listKeys, readAccess, revokeKey } from './commands/keys.ts';
import { deleteLink } from './commands/links.ts';
import { move } from './commands/move.ts';
import { serve } from './commands/serve.ts';
import { table } from './commands/table.ts';
import { undoMove } from './commands/undo-move.ts';
import { USAGE } from './commands/usage.ts';
import { UsageError } from './commands/usage-error.ts';
import { type Config, ConfigError, QuotaText, readConfig, readDatabaseAddress, ThrottleText } from './config/config.ts';
import { systemRandom } from './domain/random.ts';
import { openStore } from './store/open.ts';
import { type Store, StoreError } from './store/store.ts';

/** Exit codes of sysexits.h where it has one. */
const EXIT = { failure: 1, usage: 2, config: 78 } as const;

async function main(): Promise<void> {
  const { positionals, values } = parse();
  if (values.help) return print(USAGE);
  if (values.version) return print(manifest.version);
  const [command, ...rest] = positionals;
  if (command === 'serve' && rest.length === 0) return serve(readConfig(process.env), manifest.version);
  if (command === undefined) throw new UsageError('No command given.');
  if (command === 'health' && rest.length === 0) return void (await import('./health.ts'));
  const [file, ...more] = rest;
  if (command === 'backup' && file !== undefined && more.length === 0) {
    return backUp(readConfig(process.env), file, Date.now());
  }
  if (command === 'restore' && file !== undefined && more.length === 0) return restore(readConfig(process.env), file);
  if (rest.length <= 2 && command === 'keys' && (await keys(rest, values))) return;
  if (command === 'links' && file === 'delete' && more[0] !== undefined && more.length === 1) {
    const [code] = more;
    return void (await withStore(readConfig(process.env), (store) => deleteLink(store, code, Date.now())));
  }
  if (command === 'move' && values.undo && file !== undefined && more.length === 0) {
    await undoMove(readDatabaseAddress(file, 'DATABASE'));
    return print('This database can be used again. What was made in the other one since is not in here.');
  }
  if (command === 'move' && !values.undo && file !== undefined && more[0] !== undefined && more.length === 1) {
    return moveDatabase(file, more[0]);
  }
  if (rest.length <= 2 && command === 'accounts' && (await accounts(rest, values))) return;
  throw new UsageError(`There is no command "${positionals.join(' ')}".`);
}

async function moveDatabase(from: string, to: string): Promise<void> {
  const { journalDirectory } = readConfig(process.env);
  const rows = await move({
    from: readDatabaseAddress(from, 'FROM'),
    to: readDatabaseAddress(to, 'TO'),
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

/** @returns false where there is no such action */
async function keys([action, id]: string[], values: Values): Promise<boolean> {
  const config = readConfig(process.env);
  if (action === 'create' && id === undefined) {
    if (values.name === undefined) throw new UsageError('"keys create" needs a --name.');
    const key = {
      name: values.name,
      quota: number(QuotaText, '--quota', values.quota),
      throttle: number(ThrottleText, '--throttle', values.throttle),
      ...readAccess(values.scopes, values['own-links']),
    };
    return withStore(config, async (store) => print(await createKey(store, systemRandom, key, Date.now())));
  }
  if (action === 'list' && id === undefined) return withStore(config, async (store) => print(await listKeys(store)));
  if (action === 'revoke' && id !== undefined) return withStore(config, (store) => revokeKey(store, id, Date.now()));
  return false;
}

/** @returns false where there is no such action */
async function accounts([action, id]: string[], { name }: Values): Promise<boolean> {
  const config = readConfig(process.env);
  const inviting = (use: (inviter: Inviter) => Promise<string | null>) =>
    withStore(config, async (store) => {
      const inviter = { store, random: systemRandom, baseUrl: publicBaseUrl(config), now: Date.now() };
      const link = await use(inviter);
      if (link) print(link);
    });
  if (action === 'setup' && id === undefined) return inviting(setupLink);
  if (action === 'create' && id === undefined) {
    if (name === undefined) throw new UsageError('"accounts create" needs a --name.');
    return inviting((inviter) => createAccount(inviter, name));
  }
  if (action === 'reset' && id !== undefined) return inviting((inviter) => resetAccount(inviter, id));
  const change = CHANGES.get(action ?? '');
  if (change && id !== undefined) return withStore(config, (store) => change(store, id, Date.now()));
  if (action === 'list' && id === undefined) {
    return withStore(config, async (store) => print(table(await accountRows(store))));
  }
  return false;
}

/** Where links to the dashboard lead. A port that the system chooses is known to the process that listens alone. */
function publicBaseUrl({ baseUrl, listen: { host, port } }: Config): string {
  if (baseUrl !== null) return baseUrl;
  if (port === 0)
    throw new UsageError('Set TERSE_BASE_URL to the address of the service, to which the link shall lead.');
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

type Values = ReturnType<typeof parse>['values'];

function parse() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const keyOptions = { name: text, quota: text, throttle: text, scopes: text, 'own-links': flag } as const;
  const options = { ...keyOptions, undo: flag, help: { ...flag, short: 'h' }, version: flag } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    // Node adds advice after the first sentence that fits few of our readers.
    throw new UsageError(`${(error as Error).message.split(/\.\s/)[0]}.`);
  }
}

function number(schema: typeof QuotaText, option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const { data, error } = schema.safeParse(text);
  if (error) throw new UsageError(`${option} ${error.issues[0]?.message}.`);
  return data;
}

async function withStore(config: Config, use: (store: Store) => Promise<void>): Promise<true> {
  const store = await openStore(config.database, Date.now());
  try {
    await use(store);
    return true;
  } finally {
    await store.close();
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What to tell the operator, and the exit code; null for a fault of the program's own. */
function explain(error: unknown): { lines: string[]; code: number } | null {
  if (error instanceof UsageError) return { lines: [error.message, '', USAGE], code: EXIT.usage };
  if (error instanceof ConfigError) return { lines: error.sentences, code: EXIT.config };
  if (error instanceof StoreError) return { lines: [error.message], code: EXIT.failure };
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return syscall === 'listen' || code === 'ENOTFOUND'
    ? { lines: [`Cannot listen: ${message}.`], code: EXIT.failure }
    : null;
}

// Whatever it makes is for its owner alone: the database, journals, backups.
process.umask(0o077);
try {
  await main();
} catch (error) {
  const explained = explain(error);
  if (!explained) throw error;
  process.stderr.write(`${explained.lines.join('\n')}\n`);
  process.exitCode = explained.code;
}
