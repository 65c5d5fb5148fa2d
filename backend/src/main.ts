import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { createKey, listKeys, revokeKey, UsageError } from './commands/keys.ts';
import { serve } from './commands/serve.ts';
import { type Config, ConfigError, QuotaText, readConfig, ThrottleText } from './config.ts';
import { systemRandom } from './domain/random.ts';
import { openStore } from './store/open.ts';
import { type Store, StoreError } from './store/store.ts';

const USAGE = `Usage:
  serve                          answer the API and the short URLs
  keys create --name NAME        make an API key and print it, this once
       [--quota N]               its own requests a day
       [--throttle N]            its own requests a second
  keys list                      list the API keys
  keys revoke ID                 revoke an API key, for ever

Environment variables, and what holds without them:
  TERSE_LISTEN=127.0.0.1:8787        where the API answers
  TERSE_SHORT_LISTEN=127.0.0.1:8788  where short URLs answer
  TERSE_BASE_URL, TERSE_SHORT_BASE_URL
                                     what the public calls them (the listeners' addresses)
  TERSE_DATABASE=file:./data/terse.db
  TERSE_DAILY_QUOTA=20               requests a key may send in a UTC day
  TERSE_THROTTLE=1                   requests a key may send in a second
  TERSE_ALLOW_PRIVATE_TARGETS=false  whether links may lead to private addresses`;

/** Exit codes of sysexits.h where it has one. */
const EXIT = { failure: 1, usage: 2, config: 78 } as const;

async function main(): Promise<void> {
  const { positionals, values } = parse();
  const [command, ...rest] = positionals;
  if (command === 'serve' && rest.length === 0) return serve(readConfig(process.env), manifest.version);
  if (command !== 'keys')
    throw new UsageError(command ? `There is no command "${positionals.join(' ')}".` : 'No command given.');
  const [action, id, ...more] = rest;
  const config = readConfig(process.env);
  if (action === 'create' && id === undefined) {
    if (values.name === undefined) throw new UsageError('"keys create" needs a --name.');
    const key = {
      name: values.name,
      quota: number(QuotaText, '--quota', values.quota),
      throttle: number(ThrottleText, '--throttle', values.throttle),
    };
    return withStore(config, async (store) => print(await createKey(store, systemRandom, key, Date.now())));
  }
  if (action === 'list' && id === undefined) return withStore(config, async (store) => print(await listKeys(store)));
  if (action === 'revoke' && id !== undefined && more.length === 0) {
    return withStore(config, (store) => revokeKey(store, id, Date.now()));
  }
  throw new UsageError(`There is no command "${positionals.join(' ')}".`);
}

function parse() {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({ allowPositionals: true, options: { name: option, quota: option, throttle: option } });
  } catch (error) {
    // Node adds advice after the first sentence that fits few of our readers.
    throw new UsageError(`${(error as Error).message.split('. ')[0]}.`);
  }
}

function number(schema: typeof QuotaText, option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const { data, error } = schema.safeParse(text);
  if (error) throw new UsageError(`${option} ${error.issues[0]?.message}.`);
  return data;
}

async function withStore(config: Config, use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(config.database, Date.now());
  try {
    await use(store);
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

try {
  await main();
} catch (error) {
  const explained = explain(error);
  if (!explained) throw error;
  process.stderr.write(`${explained.lines.join('\n')}\n`);
  process.exitCode = explained.code;
}
