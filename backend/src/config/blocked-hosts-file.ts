import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { type BlockList, EMPTY_BLOCK_LIST, hostOf, parseBlockList } from '../domain/links/blocked-hosts.ts';
import type { Log } from '../log/json-log.ts';
import { ConfigError } from './environment.ts';

export interface BlockedHosts {
  /** True if the host or one of its parent domains is blocked. */
  blocks(host: string): boolean;
  blocksUrl(href: string): boolean;
  /** Reloads the file of blocked hosts. If this fails, an error is logged and the previous list stays active. */
  reload(): void;
  close(): void;
}

/**
 * Loads the file of blocked hosts, and reloads it after each change.
 *
 * @param path null if the operator has not configured a file
 * @param interval time between two checks for changes, in milliseconds
 * @throws ConfigError if the file cannot be read or contains an invalid line
 */
export function openBlockedHosts(path: string | null, interval: number, log: Log): BlockedHosts {
  let list = loadBlockedHosts(path);
  function reload(): void {
    if (path === null) return;
    try {
      list = loadBlockedHosts(path);
      log('info', 'list of blocked hosts loaded', { hosts: list.size });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      log('error', 'the list of blocked hosts could not be reloaded; the previous list stays active', {
        problems: error.problems,
      });
    }
  }
  if (path !== null) {
    watchFile(path, { interval, persistent: false }, reload);
    log('info', 'list of blocked hosts loaded', { hosts: list.size });
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

/**
 * Loads the file of blocked hosts once.
 *
 * @param path null if the operator has not configured a file
 * @throws ConfigError if the file cannot be read or contains an invalid line
 */
export function loadBlockedHosts(path: string | null): BlockList {
  if (path === null) return EMPTY_BLOCK_LIST;
  const result = parseBlockList(readText(path));
  if ('list' in result) return result.list;
  throw new ConfigError(result.problems.map((problem) => `TERSE_BLOCKED_HOSTS_FILE, ${path}: ${problem}`));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`TERSE_BLOCKED_HOSTS_FILE cannot be read: ${(error as Error).message}.`]);
  }
}
