import { CommanderError } from 'commander';
import { runCommandLine } from './commands/cli.ts';
import { ConfigError } from './config/environment.ts';
import { FileError } from './files/atomic-file.ts';
import { StoreError, StoreFull, StoreUnavailable } from './store/interface/store.ts';

/** Exit codes. The last one is EX_CONFIG of sysexits.h. */
const EXIT = { failure: 1, usage: 2, config: 78 } as const;

// Only the owner may read the files that this process creates: the database, journals, backups.
process.umask(0o077);
process.stdout.on('error', ({ message }) => {
  process.stderr.write(`The output of this command cannot be written: ${message}.\n`);
  process.exitCode = EXIT.failure;
});

try {
  await runCommandLine(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the error, the help or the version.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
  } else {
    const explanation = explain(error);
    if (!explanation) throw error;
    process.stderr.write(`${explanation.lines.join('\n')}\n`);
    process.exitCode = explanation.code;
  }
}

/** Returns a message for the operator and the exit code, or null for an unexpected error. */
function explain(error: unknown): { lines: string[]; code: number } | null {
  if (error instanceof ConfigError) return { lines: error.problems, code: EXIT.config };
  if (error instanceof StoreError || error instanceof FileError) return { lines: [error.message], code: EXIT.failure };
  if (error instanceof StoreUnavailable) return { lines: [explainUnavailable(error)], code: EXIT.failure };
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return syscall === 'listen' || code === 'ENOTFOUND'
    ? { lines: [`Cannot listen: ${message}.`], code: EXIT.failure }
    : null;
}

/** Adds the reason, which clients of the service are not told. */
function explainUnavailable(error: StoreUnavailable): string {
  if (error instanceof StoreFull) return 'The disk of the database is full, so nothing can be saved.';
  const reason = (error.cause as Error).message.replace(/\.$/, '');
  return `The database is unavailable: ${reason}.`;
}
