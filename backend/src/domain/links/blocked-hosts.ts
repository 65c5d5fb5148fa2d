import { plainHost } from '@terse/contract';
import { hasEmptyLabel, normalizeAddress } from './validate-target.ts';

/** Hosts that the operator of the service has blocked. New links to these hosts are refused. */
export interface BlockList {
  size: number;
  /** True if the host or one of its parent domains is blocked. */
  blocks(host: string): boolean;
}

export const EMPTY_BLOCK_LIST: BlockList = { size: 0, blocks: () => false };

/**
 * Parses a list of blocked hosts, one per line. `example.com` blocks the host and its subdomains, and `*.example.com`
 * blocks only the subdomains. IP addresses can be written in any notation. Comments start with `#`.
 *
 * @returns the list, or an error message for each invalid line
 */
export function parseBlockList(text: string): { list: BlockList } | { problems: string[] } {
  const whole = new Set<string>();
  const under = new Set<string>();
  const problems: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const entry = line.replace(/#.*/, '').trim();
    if (entry === '') continue;
    const [, wildcard, name = ''] = /^(\*\.)?(.*)$/.exec(entry) ?? [];
    const host = readHost(name);
    if (host === null) problems.push(`Line ${index + 1}: "${entry}" is not a host.`);
    else if (wildcard) under.add(host);
    else whole.add(host);
  }
  if (problems.length > 0) return { problems };
  const blocks = (host: string) => isListed(normalizeAddress(host), whole, under);
  return { list: { size: whole.size + under.size, blocks } };
}

export function hostOf(href: string): string {
  const start = href.indexOf('//') + 2;
  const end = href.indexOf('/', start);
  const authority = href.slice(start, end);
  const port = authority.indexOf(':', authority.indexOf(']') + 1);
  const host = port === -1 ? authority : authority.slice(0, port);
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function isListed(host: string, whole: ReadonlySet<string>, under: ReadonlySet<string>): boolean {
  if (whole.has(host)) return true;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    const parent = host.slice(dot + 1);
    if (whole.has(parent) || under.has(parent)) return true;
  }
  return false;
}

/** Returns the host as normalized by the URL parser. Returns null if the text is not a host. */
function readHost(text: string): string | null {
  const bracketed = /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text;
  if (/[/\\?#@\s*]/.test(text) || /:/.test(bracketed.replace(/^\[.*\]$/, ''))) return null;
  const url = URL.parse(`http://${bracketed}/`);
  const host = url ? plainHost(url) : '';
  return hasEmptyLabel(host) ? null : normalizeAddress(host);
}
