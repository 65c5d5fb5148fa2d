import { Command, InvalidArgumentError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import {
  type Config,
  ConfigError,
  QuotaText,
  readConfig,
  readDatabaseAddress,
  SETTINGS,
  ThrottleText,
} from '../config/environment.ts';
import { systemRandom } from '../domain/clock-and-random.ts';
import { foldCode, hostOfDomain, storedCode } from '../domain/links/short-codes.ts';
import { localOrigin } from '../http/listen-address.ts';
import { move, undoMove } from '../move-database/move-database.ts';
import { type DatabaseAddress, nameOf, openExisting, type Store } from '../store/open-store.ts';
import { backUp, restore } from './backup-and-restore.ts';
import {
  createAccount,
  createKey,
  deleteAccount,
  deleteLink,
  disableAccount,
  enableAccount,
  type Inviter,
  listAccounts,
  listKeys,
  readAccess,
  resetAccount,
  revokeKey,
  setupLink,
} from './manage.ts';

/**
 * Runs a command line.
 *
 * @throws CommanderError after printing a usage error, the help or the version; other errors are thrown unchanged
 */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  const program = createProgram();
  await program.parseAsync(words, { from: 'user' }).catch((error) => {
    // Omits the help if the value of an argument is invalid, because the help would distract from the error message.
    if (error instanceof InvalidArgumentError) program.showHelpAfterError(false).error(error.message);
    throw error;
  });
}

export function createProgram(): Command {
  const program = new Command('terse')
    .version(manifest.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', SETTINGS_HELP)
    .configureOutput({ writeOut: write, outputError: (text, writeError) => writeError(toSentence(text)) })
    .showHelpAfterError()
    .exitOverride();

  program
    .command('serve')
    .description('start the service')
    .action(async () => (await import('./serve.ts')).serve(readConfig(process.env), manifest.version));

  const keys = program.command('keys').description('create, list and revoke API keys');
  keys
    .command('create')
    .description('create an API key and print it; it is not shown again')
    .requiredOption('--name <NAME>', 'name of the key')
    .option('--quota <N>', 'requests per UTC day (default: quota of the service)', parseNumber(QuotaText))
    .option('--throttle <N>', 'requests per second (default: throttle of the service)', parseNumber(ThrottleText))
    .option('--scopes <SCOPES>', 'comma-separated scopes out of create, read and manage (default: all three)')
    .option('--own-links', 'restrict the key to links that it created itself')
    .action(({ name, quota = null, throttle = null, scopes, ownLinks }) => {
      const key = { name, quota, throttle, ...readAccess(scopes, ownLinks) };
      return withStore(async (store) => print(await createKey(store, systemRandom, key, Date.now())));
    });
  keys
    .command('list')
    .description('list the API keys')
    .action(() => withStore(async (store) => print(await listKeys(store))));
  keys
    .command('revoke')
    .description('revoke an API key permanently')
    .argument('<ID>', 'ID of the key', parseText)
    .action((id) => withStore((store) => revokeKey(store, id, Date.now())));

  const accounts = program.command('accounts').description('create, invite, disable and delete accounts');
  accounts
    .command('setup')
    .description('print a link to set up the first account, if it is not set up yet')
    .action(() => withInviter(setupLink));
  accounts
    .command('create')
    .description('create an account and print its invitation link')
    .requiredOption('--name <NAME>', 'name of the account')
    .action(({ name }) => withInviter((inviter) => createAccount(inviter, name)));
  accounts
    .command('reset')
    .description('print a link to choose a new password for an account')
    .argument('<ID>', 'ID of the account', parseText)
    .action((id) => withInviter((inviter) => resetAccount(inviter, id)));
  accounts
    .command('list')
    .description('list the accounts')
    .action(() => withStore(async (store) => print(await listAccounts(store))));
  accounts
    .command('disable')
    .description('block sign-in and keys of an account; its links still work')
    .argument('<ID>', 'ID of the account', parseText)
    .action((id) => withStore((store) => disableAccount(store, id, Date.now())));
  accounts
    .command('enable')
    .description('enable a disabled account')
    .argument('<ID>', 'ID of the account', parseText)
    .action((id) => withStore((store) => enableAccount(store, id)));
  accounts
    .command('delete')
    .description('delete an account with all its links and keys permanently')
    .argument('<ID>', 'ID of the account', parseText)
    .action((id) => withStore((store) => deleteAccount(store, id, Date.now())));

  const links = program.command('links').description('delete a link of any account');
  links
    .command('delete')
    .description('delete a link permanently')
    .argument('<CODE>', 'short code of the link; put "--" before a code that begins with a hyphen', parseText)
    .option('--domain <HOST>', 'domain of the link (default: the default domain)')
    .action((code, { domain = '' }) => {
      const { shortBaseUrls, foldsCase } = readConfig(process.env);
      const stored = storedCode(hostOfDomain(domain, shortBaseUrls), foldsCase ? foldCode(code) : code);
      return withStore((store) => deleteLink(store, stored, Date.now()));
    });

  program
    .command('backup')
    .description('write the whole database into one new file, even while the service runs')
    .argument('<FILE>', 'path of the new file', parseText)
    .action((file) => backUp(readConfig(process.env), file, Date.now()));
  program
    .command('restore')
    .description('restore a backup if there is no database yet')
    .argument('<FILE>', 'path of the backup', parseText)
    .action((file) => restore(readConfig(process.env), file, Date.now()));
  program
    .command('move')
    .description('move all data to an empty database; stop the service first')
    .argument('<FROM>', 'address of the database to move', parseText)
    .argument('<TO>', 'address of the empty database', parseText)
    .option('--undo', 'make FROM usable again after it was moved to TO, if TO was not used yet')
    .action((from, to, { undo }) => (undo ? undoDatabaseMove(from, to) : moveDatabase(from, to)));
  program
    .command('health')
    .description('check that the running service accepts requests')
    .action(async () => void (await import('../healthcheck.ts')));
  return program;
}

/**
 * Turns an error such as "error: unknown option '--x'" into a sentence. Removes unexpected arguments from the
 * message, because they may contain passwords.
 */
function toSentence(text: string): string {
  return text
    .replace(/(but got \d+):.*/, '$1')
    .replace(/^error: (.)(.*?)\.?$/m, (_, first: string, rest: string) => `${first.toUpperCase()}${rest}.`);
}

/** Refuses empty arguments, which usually come from unset shell variables. */
function parseText(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

function parseNumber(schema: typeof QuotaText): (text: string) => number {
  return (text) => {
    const { data, error } = schema.safeParse(text);
    if (error) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`);
    return data;
  };
}

async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openExisting(readConfig(process.env).database, Date.now());
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

const ALREADY_SET_UP =
  'The service is already set up. If you forgot your password, run "accounts reset ID". "accounts list" shows the IDs.';

async function withInviter(createInvitationLink: (inviter: Inviter) => Promise<string | null>): Promise<void> {
  const baseUrl = publicBaseUrl(readConfig(process.env));
  await withStore(async (store) => {
    const link = await createInvitationLink({ store, random: systemRandom, baseUrl, now: Date.now() });
    if (link) print(link);
    else process.stderr.write(`${ALREADY_SET_UP}\n`);
  });
}

function publicBaseUrl({ baseUrl, listen }: Config): string {
  if (baseUrl !== null) return baseUrl;
  // With port 0, the operating system chooses the port, and only the running service knows which one.
  if (listen.port === 0) throw new InvalidArgumentError('Set TERSE_BASE_URL to the public address of the service.');
  return localOrigin(listen);
}

async function moveDatabase(from: string, to: string): Promise<void> {
  const rows = await move({
    from: parseAddress(from, 'FROM'),
    to: parseAddress(to, 'TO'),
    now: Date.now(),
    printLine: (line) => process.stderr.write(`${line}\n`),
  });
  const result =
    rows === null
      ? 'All data was already moved by an earlier run.'
      : `${rows.toLocaleString('en')} rows are equal in both databases.`;
  print(`${result} Set TERSE_DATABASE to the new database.`);
}

async function undoDatabaseMove(from: string, to: string): Promise<void> {
  const addresses = { from: parseAddress(from, 'FROM'), to: parseAddress(to, 'TO') };
  await undoMove(addresses);
  print(`The move was undone. Set TERSE_DATABASE to ${nameOf(addresses.from)}.`);
}

function parseAddress(text: string, name: string): DatabaseAddress {
  try {
    return readDatabaseAddress(text, name);
  } catch (error) {
    throw error instanceof ConfigError ? new InvalidArgumentError(error.problems.join('\n')) : error;
  }
}

function print(text: string): void {
  write(`${text}\n`);
}

/** Writes the output of a command. If this fails, the command fails too, because its output is lost. */
function write(text: string): void {
  process.stdout.write(text, (error) => {
    if (!error) return;
    process.stderr.write(`The output of this command cannot be written: ${error.message}.\n`);
    process.exitCode = 1;
  });
}

const SETTINGS_HELP = `
Environment variables, which docs/self-hosting.md describes:
${SETTINGS.map((name) => `  ${name}`).join('\n')}`;
