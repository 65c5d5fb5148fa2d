import { createHash } from 'node:crypto';
import type { Loss } from './formats/format.ts';
import { findFormat, type LinkSource, type ReadLink, readLinks } from './read-links.ts';
import { FileProblem, type ImportFile } from './readers/import-file.ts';
import { createPageCounts } from './readers/json-reader.ts';
import { openSource } from './readers/read-records.ts';
import { type ImportRules, validateSourceLink } from './validate-imported-link.ts';

/** The most domains that one file may have links of: each is offered to choose. */
const MAX_DOMAINS = 100;

/** How many links of a file are on a domain; null where the file does not say on which. */
export interface DomainCount {
  domain: string | null;
  links: number;
  /** Those of them that can be imported. */
  ready: number;
}

/** Counts links by domain. */
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
    /** The most used first. */
    list: () => [...counts.values()].sort((one, other) => other.links - one.links),
  };
}

/**
 * The domain whose links are imported unless the person asks for others: this service's own, or the one that the other service
 * does not name since it is its only or first one, or the most used.
 *
 * @param counts the most used first
 */
export function suggestedDomain(counts: readonly DomainCount[], ownHost: string): string | null {
  const domains = counts.map(({ domain }) => domain);
  if (domains.includes(ownHost)) return ownHost;
  return domains.includes(null) ? null : (domains[0] ?? null);
}

/**
 * What recognises a file with a choice of its domains: another choice is another import. Where all were chosen it is the
 * file's own fingerprint.
 */
export function choiceFingerprint(file: Uint8Array, chosen: readonly (string | null)[], all: number): Uint8Array {
  if (chosen.length === all) return file;
  const names = chosen.map((domain) => domain ?? '').sort();
  return createHash('sha256').update(file).update(names.join('\n')).digest();
}

/** How many links a survey shows. */
const MAX_LINKS_SHOWN = 8;

/** How long a quotation from a file may be, in characters. */
const MAX_QUOTE_LENGTH = 120;

/** A link of a file as it would be imported, or what is wrong with it. */
export interface PreviewedLink {
  at: number;
  /** Null where a new one will be made. */
  code: string | null;
  domain: string | null;
  url: string;
  problem: string | null;
}

/** What is known of a file before any of its links is imported. */
export interface ImportPreview {
  source: LinkSource;
  /** Links, and rows that are none. */
  total: number;
  ready: number;
  domains: DomainCount[];
  first: PreviewedLink[];
  /** What is wrong with links, with how many have it and where the first stands; the commonest first. */
  problems: { problem: string; links: number; at: number }[];
  /** What is not kept of links that can be imported, and of how many. */
  losses: { loss: Loss; links: number }[];
  /** Whether the file says that it is not all there is. */
  isPart: boolean;
}

/**
 * Reads a whole file before any of its links is imported.
 *
 * @throws FileProblem where it cannot be imported
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
      const known = problems.get(link.problem) ?? { problem: link.problem, links: 0, at: link.at };
      problems.set(link.problem, { ...known, links: known.links + 1 });
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

/** The start of a text of a file. */
export function quote(text: string): string {
  return text.slice(0, MAX_QUOTE_LENGTH).toWellFormed();
}
