import { createHash } from 'node:crypto';
import { FileProblem } from './file.ts';

/** The most domains that one file may have links of: each is offered to choose. */
const MOST_DOMAINS = 100;

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
      if (counts.size > MOST_DOMAINS)
        throw new FileProblem(`This file has links of more than ${MOST_DOMAINS} domains. Split it into smaller files.`);
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
export function firstDomain(counts: readonly DomainCount[], ownHost: string): string | null {
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
