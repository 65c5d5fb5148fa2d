import { createDomainCounts, type DomainCount } from './domains.ts';
import type { ImportFile } from './file.ts';
import type { Loss } from './formats/format.ts';
import { findFormat, type LinkSource, type ReadLink, readLinks } from './read-links.ts';
import { createPageCounts } from './reading/pages.ts';
import { openSource } from './reading/records.ts';
import { type ImportRules, validateSourceLink } from './validate-link.ts';

/** How many links a survey shows. */
const SHOWN = 8;

/** How long a quotation from a file may be, in characters. */
const QUOTE_LIMIT = 120;

/** A link of a file as it would be imported, or what is wrong with it. */
export interface SurveyedLink {
  at: number;
  /** Null where a new one will be made. */
  code: string | null;
  domain: string | null;
  url: string;
  problem: string | null;
}

/** What is known of a file before any of its links is imported. */
export interface Survey {
  source: LinkSource;
  /** Links, and rows that are none. */
  total: number;
  ready: number;
  domains: DomainCount[];
  first: SurveyedLink[];
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
export async function surveyFile(file: ImportFile, rules: ImportRules, now: number): Promise<Survey> {
  const source = await findFormat(await openSource(file));
  const domains = createDomainCounts();
  const pages = createPageCounts();
  const problems = new Map<string, { problem: string; links: number; at: number }>();
  const losses = new Map<Loss, number>();
  const first: SurveyedLink[] = [];
  let total = 0;
  let ready = 0;
  for await (const read of readLinks(source, now, pages.add)) {
    const link = surveyedLink(read, rules, now);
    total += 1;
    if ('link' in read) domains.add(link.domain, link.problem === null);
    if (first.length < SHOWN) first.push(link);
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

function surveyedLink(read: ReadLink, rules: ImportRules, now: number): SurveyedLink {
  const { at } = read;
  if ('problem' in read) return { at, code: quote(read.subject), domain: null, url: '', problem: read.problem };
  const validated = validateSourceLink(read.link, rules, now);
  const { code, domain, url } = read.link;
  const problem = 'problem' in validated ? validated.problem : null;
  return { at, code: code === null ? null : quote(code), domain, url: quote(url), problem };
}

/** The start of a text of a file. */
export function quote(text: string): string {
  return text.slice(0, QUOTE_LIMIT).toWellFormed();
}
