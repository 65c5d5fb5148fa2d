import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { EMPTY_BLOCK_LIST, hostOf, parseBlockList } from '../domain/links/blocked-hosts.ts';
import type { Log } from '../log/json-log.ts';
import { ConfigError } from './environment.ts';

/** The operator's block list, as its file stands. */
export interface BlockedHosts {
  /** Whether a plain host is blocked. */
  blocks(host: string): boolean;
  /** Whether a stored URL leads to a blocked host. */
  blocksUrl(href: string): boolean;
  /** Reads the file again; where that fails, says so and keeps the list it has. */
  reload(): void;
  close(): void;
}

/**
 * Reads the block list, and reads it again whenever the file changes.
 *
 * @param path null where there is no list
 * @param interval how often to look for a change, in milliseconds
 * @throws ConfigError where the file cannot be read, or has a line that is no host
 */
export function openBlockedHosts(path: string | null, interval: number, log: Log): BlockedHosts {
  let list = path === null ? EMPTY_BLOCK_LIST : read(path);
  function reload(): void {
    if (path === null) return;
    try {
      list = read(path);
      log('info', 'block list read', { hosts: list.size });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      log('error', 'the block list was not read again, the one before holds', { problems: error.problems });
    }
  }
  if (path !== null) {
    watchFile(path, { interval, persistent: false }, reload);
    log('info', 'block list read', { hosts: list.size });
  }
  return {
    blocks: (host) => list.blocks(host),
    blocksUrl: (href) => list.size > 0 && list.blocks(hostOf(href)),
    reload,
    close() {
      if (path !== null) unwatchFile(path, reload);
    },
  };
}

function read(path: string) {
  const read = parseBlockList(text(path));
  if ('list' in read) return read.list;
  throw new ConfigError(read.problems.map((problem) => `TERSE_BLOCKED_HOSTS_FILE, ${path}: ${problem}`));
}

function text(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`TERSE_BLOCKED_HOSTS_FILE cannot be read: ${(error as Error).message}.`]);
  }
}
