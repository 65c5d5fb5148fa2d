import { FileProblem } from '../../src/dashboard/import/file.ts';
import { readLinks } from '../../src/dashboard/import/read-links.ts';
import { type Survey, surveyFile } from '../../src/dashboard/import/survey.ts';
import { type ImportRules, validateSourceLink } from '../../src/dashboard/import/validate-link.ts';
import { systemRandom } from '../../src/domain/random.ts';
import { fileOf } from './imports.ts';
import { NOON } from './store.ts';

export const RULES: ImportRules = {
  targets: { ownUrls: [], allowPrivate: false, blocks: () => false },
  random: systemRandom,
  mayUseReserved: true,
};

/** A link of a file as people compare it. */
export interface LinkOutcome {
  at: number;
  domain?: string | null;
  code: string | null;
  url?: string;
  title?: string;
  createdAt?: string | null;
  expiresAt?: string | null;
  problem?: string;
}

/** Everything an import finds out about a file before it begins; a text where it says why it does not. */
export async function outcomeOf(...parts: (string | Uint8Array)[]) {
  try {
    const survey = await surveyFile(fileOf(...parts), RULES, NOON);
    const links: LinkOutcome[] = [];
    for await (const read of readLinks(survey.source, NOON)) {
      if ('problem' in read) {
        links.push({ at: read.at, code: read.subject, problem: read.problem });
        continue;
      }
      const { domain, code, url, title, createdAt, expiresAt } = read.link;
      const validated = validateSourceLink(read.link, RULES, NOON);
      const problem = 'problem' in validated ? { problem: validated.problem } : {};
      const times = { createdAt: timeOf(createdAt), expiresAt: timeOf(expiresAt) };
      links.push({ at: read.at, domain, code, url, title, ...times, ...problem });
    }
    return { format: survey.source.format.name, isPart: survey.isPart, losses: lossesOf(survey), links };
  } catch (error) {
    if (error instanceof FileProblem) return error.message;
    throw error;
  }
}

function lossesOf({ losses }: Survey): Record<string, number> {
  return Object.fromEntries(losses.map(({ loss, links }) => [loss, links]));
}

function timeOf(instant: number | 'invalid' | null): string | null {
  return typeof instant === 'number' ? new Date(instant).toISOString() : instant;
}
