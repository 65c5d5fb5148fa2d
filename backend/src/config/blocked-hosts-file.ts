import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { plainHost } from '@terse/contract';
import { hasEmptyLabel } from '../domain/links/link-rules.ts';
import type { Log } from '../log/log.ts';
import { ConfigError } from './environment.ts';

/**
 * Loads the file of hosts that the operator of the service has blocked, and reloads it after each change. If
 * reloading fails, an error is logged and the previous list stays active.
 *
 * @param interval time between two checks for changes, in milliseconds
 * @throws ConfigError if the file cannot be read or contains an invalid line
 */
export function openBlockedHosts(path: string, interval: number, log: Log) {
  let hosts = loadBlockedHosts(path, log);
  function reload(): void {
    try {
      hosts = loadBlockedHosts(path, log);
    } catch (error) {
      log('error', 'the list of blocked hosts could not be reloaded; the previous list stays active', { error });
    }
  }
  watchFile(path, { interval, persistent: false }, reload);
  return {
    /** True if the host or one of its parent domains is blocked. New links to these hosts are refused. */
    blocks: (host: string) => isListed(host, hosts),
    blocksUrl: (href: string) => hosts.size > 0 && isListed(plainHost(new URL(href)), hosts),
    close: () => unwatchFile(path, reload),
  };
}

function loadBlockedHosts(path: string, log: Log): ReadonlySet<string> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`TERSE_BLOCKED_HOSTS_FILE cannot be read: ${(error as Error).message}.`]);
  }
  const { hosts, problems } = parseBlockList(text);
  if (problems.length > 0)
    throw new ConfigError(problems.map((problem) => `TERSE_BLOCKED_HOSTS_FILE, ${path}: ${problem}`));
  log('info', 'list of blocked hosts loaded', { hosts: hosts.size });
  return hosts;
}

/**
 * Parses a list of blocked hosts, one per line. `example.com` blocks the host and its subdomains. IP addresses can be
 * written in any notation. Comments start with `#`.
 *
 * @returns the hosts, and an error message for each invalid line
 */
export function parseBlockList(text: string): { hosts: ReadonlySet<string>; problems: string[] } {
  const hosts = new Set<string>();
  const problems: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const entry = line.replace(/#.*/, '').trim();
    if (entry === '') continue;
    const host = readHost(entry);
    if (host === null) problems.push(`Line ${index + 1}: "${entry}" is not a host.`);
    else hosts.add(host);
  }
  return { hosts, problems };
}

/** True if the host or one of its parent domains is in the list. */
export function isListed(host: string, hosts: ReadonlySet<string>): boolean {
  if (hosts.has(host)) return true;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    if (hosts.has(host.slice(dot + 1))) return true;
  }
  return false;
}

/** Returns the host as normalized by the URL parser. Returns null if the text is not a host. */
function readHost(text: string): string | null {
  const bracketed = /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text;
  if (/[/\\?#@\s*]/.test(text) || /:/.test(bracketed.replace(/^\[.*\]$/, ''))) return null;
  const url = URL.parse(`http://${bracketed}/`);
  const host = url ? plainHost(url) : '';
  return hasEmptyLabel(host) ? null : host;
}
