import { createHash } from 'node:crypto';
import { foldCode } from '../domain/links/short-codes.ts';
import type { Loss } from './format.ts';
import { FileProblem, type ImportFile } from './import-file.ts';
import { createPageCounts } from './json-reader.ts';
import { type LinkSource, openSource, type ReadLink, readLinks } from './read-records.ts';
import { type ImportRules, validateSourceLink } from './record-to-link.ts';

/** Maximum number of domains in one file. It limits the length of the list in which users select domains. */
const MAX_DOMAINS = 100;

const MAX_LINKS_SHOWN = 8;

const MAX_QUOTE_LENGTH = 120;

/** Number of links with the same domain. The domain is null for links without a domain. */
export interface DomainCount {
  domain: string | null;
  links: number;
  /** Number of links of this domain that can be imported. */
  ready: number;
}

/** Link in the preview of an import. `problem` is the reason why the link cannot be imported. */
export interface PreviewedLink {
  at: number;
  /** Short code of the link. Null if the service generates a new short code. */
  code: string | null;
  domain: string | null;
  url: string;
  problem: string | null;
}

export interface ImportPreview {
  source: LinkSource;
  /** Number of links in the file, plus the number of rows that could not be read. */
  total: number;
  ready: number;
  /** Domains of the links, most frequent first. */
  domains: DomainCount[];
  first: PreviewedLink[];
  /**
   * Reasons why links cannot be imported, most frequent first. `at` is the position of the first link with this
   * problem.
   */
  problems: { problem: string; links: number; at: number }[];
  /** Data that cannot be imported, with the number of affected links. */
  losses: { loss: Loss; links: number }[];
  /** True if the file does not contain all links. For example, it can be a single page of an API response. */
  isPart: boolean;
}

/**
 * Reads a whole file and summarizes it without importing any links.
 *
 * @throws FileProblem if the file cannot be imported
 */
export async function previewImport(file: ImportFile, rules: ImportRules, now: number): Promise<ImportPreview> {
  const source = await openSource(file);
  const pages = createPageCounts();
  const domains = new Map<string | null, DomainCount>();
  const problems = new Map<string, { problem: string; links: number; at: number }>();
  const losses = new Map<Loss, number>();
  const first: PreviewedLink[] = [];
  const codes = new Set<string>();
  let total = 0;
  let ready = 0;
  for await (const read of readLinks(source, now, pages.add)) {
    const link = previewLink(read, rules, now, codes);
    total += 1;
    if (first.length < MAX_LINKS_SHOWN) first.push(link);
    if ('link' in read) countDomain(domains, link);
    if (link.problem !== null) {
      const entry = problems.get(link.problem) ?? { problem: link.problem, links: 0, at: link.at };
      problems.set(link.problem, { ...entry, links: entry.links + 1 });
      continue;
    }
    ready += 1;
    if ('link' in read) for (const loss of read.link.losses) losses.set(loss, (losses.get(loss) ?? 0) + 1);
  }
  return {
    source,
    total,
    ready,
    domains: [...domains.values()].sort((one, other) => other.links - one.links),
    first,
    problems: [...problems.values()].sort((one, other) => other.links - one.links),
    losses: [...losses].map(([loss, links]) => ({ loss, links })),
    isPart: pages.isPart(total),
  };
}

function countDomain(counts: Map<string | null, DomainCount>, { domain, problem }: PreviewedLink): void {
  const count = counts.get(domain) ?? { domain, links: 0, ready: 0 };
  count.links += 1;
  if (problem === null) count.ready += 1;
  counts.set(domain, count);
  if (counts.size > MAX_DOMAINS)
    throw new FileProblem(`This file has links of more than ${MAX_DOMAINS} domains. Split it into smaller files.`);
}

/** @param codes codes of the links before this one, with their domains; the code of this link is added */
function previewLink(read: ReadLink, rules: ImportRules, now: number, codes: Set<string>): PreviewedLink {
  const { at } = read;
  if ('problem' in read) return { at, code: quote(read.subject), domain: null, url: '', problem: read.problem };
  const validated = validateSourceLink(read.link, rules, now);
  const { code, domain, url } = read.link;
  const shown = { at, code: code === null ? null : quote(code), domain, url: quote(url) };
  if ('problem' in validated) return { ...shown, problem: validated.problem };
  if (code === null) return { ...shown, problem: null };
  const stored = `${domain}/${rules.foldsCase ? foldCode(code) : code}`;
  if (codes.has(stored)) return { ...shown, problem: rules.foldsCase ? CODE_REPEATED_IN_ANY_CASE : CODE_REPEATED };
  codes.add(stored);
  return { ...shown, problem: null };
}

const CODE_REPEATED = 'An earlier link in this file has the same short code. Only the earlier link is imported.';
const CODE_REPEATED_IN_ANY_CASE =
  'An earlier link in this file has the same short code, or one that differs only in upper and lower case. Only the earlier link is imported.';

/** Serializes a preview without its file. */
export function writePreview({ source: { file: _, ...source }, ...preview }: ImportPreview): string {
  return JSON.stringify({ ...preview, source });
}

/** Reads a preview that `writePreview` has serialized. */
export function readPreview(text: string, file: ImportFile): ImportPreview {
  const preview = JSON.parse(text) as ImportPreview;
  return { ...preview, source: { ...preview.source, file } };
}

/** Shortens a text of the file for a message, and replaces characters that PostgreSQL cannot store with U+FFFD. */
export function quote(text: string): string {
  return text.slice(0, MAX_QUOTE_LENGTH).toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * Returns the domains that are selected by default:
 * - this service's domains, if the file contains any of them
 * - otherwise null if the file has links without a domain, because many services omit their default domain
 * - otherwise the most frequent domain
 *
 * @param counts sorted by frequency
 */
export function suggestedDomains(counts: readonly DomainCount[], ownHosts: readonly string[]): (string | null)[] {
  const domains = counts.map(({ domain }) => domain);
  const own = domains.filter((domain) => domain !== null && ownHosts.includes(domain));
  if (own.length > 0) return own;
  return [domains.includes(null) ? null : (domains[0] ?? null)];
}

/**
 * Returns a fingerprint of a file and its selected domains. If the user selects other domains, the same file has a
 * different fingerprint and counts as a new import.
 */
export function choiceFingerprint(file: string, chosen: readonly (string | null)[], all: number): Uint8Array {
  if (chosen.length === all) return Buffer.from(file, 'hex');
  const names = chosen.map((domain) => domain ?? '').sort();
  return createHash('sha256').update(file).update(names.join('\n')).digest();
}
