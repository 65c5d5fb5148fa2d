import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { FileProblem } from '../../src/import/import-file.ts';
import { type ImportPreview, previewImport } from '../../src/import/preview-import.ts';
import { readLinks } from '../../src/import/read-records.ts';
import { type ImportRules, validateSourceLink } from '../../src/import/record-to-link.ts';
import { fileOf } from './imports.ts';
import { NOON } from './store.ts';

const RULES: ImportRules = {
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

/** Returns everything that an import finds in a file, or the error message if the import refuses the file. */
export async function outcomeOf(...parts: (string | Uint8Array)[]) {
  try {
    const survey = await previewImport(fileOf(...parts), RULES, NOON);
    const links: LinkOutcome[] = [];
    for await (const read of readLinks(survey.source, NOON)) {
      if ('problem' in read) {
        links.push({ at: read.at, code: read.subject, problem: read.problem });
        continue;
      }
      const { domain, code, url, title, createdAt, expiresAt, clicks, tags, forwardQuery } = read.link;
      const validated = validateSourceLink(read.link, RULES, NOON);
      const problem = 'problem' in validated ? { problem: validated.problem } : {};
      const times = { createdAt: timeOf(createdAt), expiresAt: timeOf(expiresAt) };
      const more = {
        ...(clicks > 0 && { clicks }),
        ...(tags.length > 0 && { tags }),
        ...(forwardQuery !== null && { forwardQuery }),
      };
      links.push({ at: read.at, domain, code, url, title, ...times, ...more, ...problem });
    }
    return { format: survey.source.format.name, isPart: survey.isPart, losses: lossesOf(survey), links };
  } catch (error) {
    if (error instanceof FileProblem) return error.message;
    throw error;
  }
}

function lossesOf({ losses }: ImportPreview): Record<string, number> {
  return Object.fromEntries(losses.map(({ loss, links }) => [loss, links]));
}

function timeOf(instant: number | 'invalid' | null): string | null {
  return typeof instant === 'number' ? new Date(instant).toISOString() : instant;
}
