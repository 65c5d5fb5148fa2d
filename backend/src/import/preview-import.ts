import { type ImportFile, readLinks } from './open-file.ts';
import { quote } from './read-records.ts';
import type { FileLink, ImportRules } from './record-to-link.ts';

const MAX_LINKS_SHOWN = 8;

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
  /** Number of links in the file, plus the number of rows that could not be read. */
  total: number;
  ready: number;
  /** Number of links that get the current date, because their creation date cannot be read or is in the future. */
  undated: number;
  first: PreviewedLink[];
  /**
   * Reasons why links cannot be imported, most frequent first. `at` is the position of the first link with this
   * problem.
   */
  problems: { problem: string; links: number; at: number }[];
}

/**
 * Reads a whole file and summarizes it without importing any links.
 *
 * @throws FileProblem if the file cannot be imported
 */
export async function previewImport(file: ImportFile, rules: ImportRules, now: number): Promise<ImportPreview> {
  const problems = new Map<string, { problem: string; links: number; at: number }>();
  const first: PreviewedLink[] = [];
  const codes = new Set<string>();
  let total = 0;
  let ready = 0;
  let undated = 0;
  for await (const batch of readLinks(file, rules, now)) {
    for (const row of batch) {
      const link = previewLink(row, codes);
      total += 1;
      if (first.length < MAX_LINKS_SHOWN) first.push(link);
      if (link.problem !== null) {
        const entry = problems.get(link.problem) ?? { problem: link.problem, links: 0, at: link.at };
        problems.set(link.problem, { ...entry, links: entry.links + 1 });
        continue;
      }
      ready += 1;
      const createdAt = row.source?.createdAt ?? null;
      if ('link' in row && createdAt !== null && createdAt !== row.link.createdAt) undated += 1;
    }
  }
  return {
    total,
    ready,
    undated,
    first,
    problems: [...problems.values()].sort((one, other) => other.links - one.links),
  };
}

/** @param codes codes that the links before this one get on this server; the code of this link is added */
function previewLink(row: FileLink, codes: Set<string>): PreviewedLink {
  const { at, subject, source } = row;
  if (!source) return { at, code: subject, domain: null, url: '', problem: 'problem' in row ? row.problem : null };
  const { code, domain, url } = source;
  const shown = { at, code: code === null ? null : quote(code), domain, url: quote(url) };
  if ('problem' in row) return { ...shown, problem: row.problem };
  if (code === null) return { ...shown, problem: null };
  const [stored = ''] = row.link.codes;
  const problem = codes.has(stored) ? CODE_REPEATED : null;
  codes.add(stored);
  return { ...shown, problem };
}

const CODE_REPEATED = 'An earlier link in this file has the same short code. Only the earlier link is imported.';
