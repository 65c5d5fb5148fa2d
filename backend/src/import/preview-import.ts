import { createHash } from 'node:crypto';
import type { Loss } from './formats/format.ts';
import { findFormat, type LinkSource, type ReadLink, readLinks } from './read-links.ts';
import { FileProblem, type ImportFile } from './readers/import-file.ts';
import { createPageCounts } from './readers/json-reader.ts';
import { openSource } from './readers/read-records.ts';
import { type ImportRules, validateSourceLink } from './validate-imported-link.ts';

/** Maximum number of different domains in one file. Users choose the domains to import. */
const MAX_DOMAINS = 100;

/** Maximum number of links in a preview. */
const MAX_LINKS_SHOWN = 8;

/** Maximum number of characters that are quoted from a file. */
const MAX_QUOTE_LENGTH = 120;

/** Number of links of a domain. The domain is null for links whose file contains no domain. */
export interface DomainCount {
  domain: string | null;
  links: number;
  /** Number of links that can be imported. */
  ready: number;
}

/** Link that a preview shows, or the problem that prevents its import. */
export interface PreviewedLink {
  at: number;
  /** Null if the link gets a new short code. */
  code: string | null;
  domain: string | null;
  url: string;
  problem: string | null;
}

/** Summary of a file that users see before they start the import. */
export interface ImportPreview {
  source: LinkSource;
  /** Number of rows, including rows that contain no link. */
  total: number;
  ready: number;
  domains: DomainCount[];
  first: PreviewedLink[];
  /** Problems that prevent the import of links, most frequent first. `at` is the position of the first such link. */
  problems: { problem: string; links: number; at: number }[];
  /** Data that cannot be imported, with the number of affected links. */
  losses: { loss: Loss; links: number }[];
  /** True if the file contains only some of the links, for example one page of an API response. */
  isPart: boolean;
}

/**
 * Reads a whole file and summarizes it, without importing links.
 *
 * @throws FileProblem if the file cannot be imported
 */
export async function previewImport(file: ImportFile, rules: ImportRules, now: number): Promise<ImportPreview> {
  const source = await findFormat(await openSource(file));
  const domains = createDomainCounts();
  const pages = createPageCounts();
  const problems = new Map<string, { problem: string; links: number; at: number }>();
  const losses = new Map<Loss, number>();
  const first: PreviewedLink[] = [];
  let total = 0;
  let ready = 0;
  for await (const read of readLinks(source, now, pages.add)) {
    const link = previewLink(read, rules, now);
    total += 1;
    if ('link' in read) domains.add(link.domain, link.problem === null);
    if (first.length < MAX_LINKS_SHOWN) first.push(link);
    if (link.problem !== null) {
      const entry = problems.get(link.problem) ?? { problem: link.problem, links: 0, at: link.at };
      problems.set(link.problem, { ...entry, links: entry.links + 1 });
    } else {
      ready += 1;
      if ('link' in read) for (const loss of read.link.losses) losses.set(loss, (losses.get(loss) ?? 0) + 1);
    }
  }
  return {
    source,
    total,
    ready,
    domains: domains.list(),
    first,
    problems: [...problems.values()].sort((one, other) => other.links - one.links),
    losses: [...losses].map(([loss, links]) => ({ loss, links })),
    isPart: pages.isPart(total),
  };
}

function previewLink(read: ReadLink, rules: ImportRules, now: number): PreviewedLink {
  const { at } = read;
  if ('problem' in read) return { at, code: quote(read.subject), domain: null, url: '', problem: read.problem };
  const validated = validateSourceLink(read.link, rules, now);
  const { code, domain, url } = read.link;
  const problem = 'problem' in validated ? validated.problem : null;
  return { at, code: code === null ? null : quote(code), domain, url: quote(url), problem };
}

/** Returns the beginning of a text from a file, to show it in a message. */
export function quote(text: string): string {
  return text.slice(0, MAX_QUOTE_LENGTH).toWellFormed();
}

/** Counts the links of each domain. */
export function createDomainCounts() {
  const counts = new Map<string | null, DomainCount>();
  return {
    add(domain: string | null, isReady: boolean): void {
      const count = counts.get(domain) ?? { domain, links: 0, ready: 0 };
      count.links += 1;
      if (isReady) count.ready += 1;
      counts.set(domain, count);
      if (counts.size > MAX_DOMAINS)
        throw new FileProblem(`This file has links of more than ${MAX_DOMAINS} domains. Split it into smaller files.`);
    },
    /** Returns the counts, starting with the domain that has the most links. */
    list: () => [...counts.values()].sort((one, other) => other.links - one.links),
  };
}

/**
 * Returns the domain that is selected by default. The first choice is the domain of this service. The second choice
 * is links without a domain, because services omit their default domain in exports. The last choice is the domain
 * with the most links.
 *
 * @param counts sorted by number of links, highest first
 */
export function suggestedDomain(counts: readonly DomainCount[], ownHost: string): string | null {
  const domains = counts.map(({ domain }) => domain);
  if (domains.includes(ownHost)) return ownHost;
  return domains.includes(null) ? null : (domains[0] ?? null);
}

/**
 * Returns a fingerprint of a file and the selected domains. The same file with other domains counts as another
 * import. If all domains are selected, the fingerprint equals the file's.
 */
export function choiceFingerprint(file: Uint8Array, chosen: readonly (string | null)[], all: number): Uint8Array {
  if (chosen.length === all) return file;
  const names = chosen.map((domain) => domain ?? '').sort();
  return createHash('sha256').update(file).update(names.join('\n')).digest();
}
