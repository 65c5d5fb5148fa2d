import { CommanderError } from 'commander';
import { runCommandLine } from './commands/cli.ts';
import { ConfigError } from './config/environment.ts';
import { SettingError, StoreError, StoreFull, StoreUnavailable } from './store/store-errors.ts';

/** Exit statuses of the process. 78 is EX_CONFIG from sysexits.h. */
const EXIT = { failure: 1, usage: 2, config: 78 } as const;

// Ensures that only the user who runs the process can read files that the process creates.
process.umask(0o077);
// Ignores output that cannot be written, for example because the disk is full. Without these handlers, a lost log line
// would end the process. `print` reports the lost output of a command.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  await runCommandLine(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has already printed the error, the help or the version.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
  } else {
    const explanation = explain(error);
    if (!explanation) throw error;
    process.stderr.write(`${explanation.lines.join('\n')}\n`);
    process.exitCode = explanation.code;
  }
}

/** Returns error messages for the operator and an exit status. Returns null if the error is unexpected. */
function explain(error: unknown): { lines: string[]; code: number } | null {
  if (error instanceof ConfigError) return { lines: error.problems, code: EXIT.config };
  if (error instanceof SettingError) return { lines: [error.message], code: EXIT.config };
  if (error instanceof StoreError) return { lines: [error.message], code: EXIT.failure };
  if (error instanceof StoreUnavailable) return { lines: [explainUnavailable(error)], code: EXIT.failure };
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return syscall === 'listen' || code === 'ENOTFOUND'
    ? { lines: [`Cannot listen: ${message}.`], code: EXIT.failure }
    : null;
}

/**
 * Returns an error message that includes the reason. Only the operator may see the reason, so it is omitted in
 * responses to clients.
 */
function explainUnavailable(error: StoreUnavailable): string {
  if (error instanceof StoreFull) return error.message;
  const reason = (error.cause as Error).message.replace(/\.$/, '');
  return `The database is unavailable: ${reason}.`;
}
