import { plainHost } from '@terse/contract';
import { hasEmptyLabel, normalizeAddress } from './target-url.ts';

/** Hosts that links must not lead to. */
export interface BlockList {
  /** How many lines name a host. */
  size: number;
  /** Whether a plain host is on the list, or under one that is. */
  blocks(host: string): boolean;
}

export const EMPTY_BLOCK_LIST: BlockList = { size: 0, blocks: () => false };

/**
 * Reads a list of one host a line: `example.com` means the host and everything under it, `*.example.com` only what is
 * under it. An IP address means itself, in every spelling. `#` begins a comment.
 *
 * @returns the list, or a sentence for every line that is no host
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

/** The host a stored URL leads to. The parser wrote it, so that it has no user info and the host is plain but for a dot. */
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

/** A host as the URL parser would write it; null for what is more than a host, or less. */
function readHost(text: string): string | null {
  const bracketed = /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text;
  if (/[/\\?#@\s*]/.test(text) || /:/.test(bracketed.replace(/^\[.*\]$/, ''))) return null;
  const url = URL.parse(`http://${bracketed}/`);
  const host = url ? plainHost(url) : '';
  return hasEmptyLabel(host) ? null : normalizeAddress(host);
}
