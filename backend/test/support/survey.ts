import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { openImportFile, readLinks } from '../../src/import/open-file.ts';
import { previewImport } from '../../src/import/preview-import.ts';
import { FileProblem } from '../../src/import/read-records.ts';
import type { ImportRules } from '../../src/import/record-to-link.ts';
import { NOON } from './store.ts';

/** Rules of an import by the owner of a service. */
export const RULES: ImportRules = {
  targets: { ownUrls: [], allowPrivate: false, maxUrlBytes: 8192, blocks: () => false },
  shortBaseUrls: ['https://t.example'],
  foldsCase: false,
  random: systemRandom,
  mayUseReserved: true,
};

export interface LinkOutcome {
  at: number;
  domain?: string | null;
  code: string | null;
  url?: string;
  title?: string;
  createdAt?: string | null;
  expiresAt?: string | null;
  clicks?: number;
  tags?: string[];
  forwardQuery?: boolean;
  problem?: string;
}

/** Previews a file. */
export async function surveyOf(...parts: (string | Uint8Array)[]) {
  const file = await openImportFile(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
  return { file, preview: await previewImport(file, RULES, NOON) };
}

/** Returns everything that an import finds in a file, or the error message if the import refuses the file. */
export async function outcomeOf(...parts: (string | Uint8Array)[]) {
  try {
    const { file } = await surveyOf(...parts);
    const links: LinkOutcome[] = [];
    for (const row of (await Array.fromAsync(readLinks(file, RULES, NOON))).flat()) {
      const { at, subject, source } = row;
      const problem = 'problem' in row ? { problem: row.problem } : {};
      if (!source) {
        links.push({ at, code: subject, ...problem });
        continue;
      }
      const { domain, code, url, title, createdAt, expiresAt, clicks, tags, forwardQuery } = source;
      const times = { createdAt: timeOf(createdAt), expiresAt: timeOf(expiresAt) };
      const more = {
        ...(clicks > 0 && { clicks }),
        ...(tags.length > 0 && { tags }),
        ...(forwardQuery !== null && { forwardQuery }),
      };
      links.push({ at, domain, code, url, title, ...times, ...more, ...problem });
    }
    return { format: file.format.name, links };
  } catch (error) {
    if (error instanceof FileProblem) return error.message;
    throw error;
  }
}

function timeOf(instant: number | 'invalid' | null): string | null {
  return typeof instant === 'number' ? new Date(instant).toISOString() : instant;
}
