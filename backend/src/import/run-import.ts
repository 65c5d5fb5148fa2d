import { setImmediate as tick } from 'node:timers/promises';
import { readableHost } from '@terse/contract';
import type { Clock } from '../domain/clock-and-random.ts';
import type { Store } from '../store/open-store.ts';
import type { Import, ImportRow, TakenMessages } from '../store/sql/import-queries.ts';
import { quote } from './preview-import.ts';
import { type LinkSource, type ReadLink, readLinks } from './read-records.ts';
import { type ImportRules, validateSourceLink } from './record-to-link.ts';

/** Number of links per transaction. Between two transactions, the process can respond to other requests. */
const BATCH_SIZE = 200;

/**
 * Milliseconds without progress after which an import is considered stopped, because its process has probably died.
 */
const STALLED_AFTER = 20_000;

const CODE_TAKEN: TakenMessages = {
  own: 'You have another link with this short code. Change the code in the file, or edit that link’s URL.',
  deleted: 'This short code belonged to a deleted link and cannot be used again. Change the code in the file.',
  other: 'This short code is taken. Change the code in the file.',
};

interface ImportServices {
  store: Store;
  clock: Clock;
  isStopping(): boolean;
  /** Maximum number of rows that the account can import per day, or null if there is no limit. */
  rowQuota: number | null;
}

export interface ImportRequest {
  source: LinkSource;
  /** Domains whose links are imported. The value null means links without a domain. */
  domains: ReadonlySet<string | null>;
  rules: ImportRules;
}

/**
 * Imports a file in batches. Each row becomes a link. If a row is refused, the reason is stored instead.
 *
 * Each batch is one transaction. If the import is interrupted, the next run continues with the next batch.
 */
export async function runImport(services: ImportServices, run: Import, request: ImportRequest): Promise<void> {
  const { store, clock } = services;
  let isComplete = false;
  try {
    isComplete = await handleRows(services, run, request);
  } finally {
    await (isComplete ? store.imports.finish(run, clock()) : store.imports.leave(run));
  }
}

async function handleRows(services: ImportServices, run: Import, request: ImportRequest): Promise<boolean> {
  const { clock, isStopping } = services;
  let toSkip = handledRows(run);
  let batch: ImportRow[] = [];
  for await (const read of readLinks(request.source, clock())) {
    if (isStopping()) return false;
    toSkip -= 1;
    if (toSkip >= 0) continue;
    batch.push(toImportRow(read, request, clock()));
    if (batch.length < BATCH_SIZE) continue;
    if (!(await handleBatch(services, run, batch))) return false;
    batch = [];
    await tick();
  }
  return !isStopping() && handleBatch(services, run, batch);
}

function toImportRow(read: ReadLink, { domains, rules }: ImportRequest, now: number): ImportRow {
  const line = read.at;
  if ('problem' in read) return { line, subject: quote(read.subject), problem: read.problem };
  const { code, url, domain } = read.link;
  const subject = quote(code || url);
  if (!domains.has(domain)) return { line, subject, problem: otherDomainProblem(domain) };
  const validated = validateSourceLink(read.link, rules, now);
  return { line, subject, ...validated };
}

function otherDomainProblem(domain: string | null): string {
  if (domain === null) return 'This link has no domain, and you selected only links of a domain.';
  return `This link is on ${quote(readableHost(domain))}, which you did not select.`;
}

/** Imports as many rows of a batch as the daily quota allows. Returns true if the whole batch was imported. */
async function handleBatch(services: ImportServices, run: Import, batch: ImportRow[]): Promise<boolean> {
  const { store, clock, rowQuota } = services;
  return (await store.imports.apply(run, batch, CODE_TAKEN, clock(), rowQuota)) === batch.length;
}

/** Returns the number of rows that an import has handled so far: imported, unchanged and refused rows. */
export function handledRows({ made, unchanged, refused }: Pick<Import, 'made' | 'unchanged' | 'refused'>): number {
  return made + unchanged + refused;
}

export type ImportState = 'done' | 'running' | 'stopped';

export function importState({ finishedAt, updatedAt, runner }: Import, now: number): ImportState {
  if (finishedAt !== null) return 'done';
  return runner !== null && now - updatedAt < STALLED_AFTER ? 'running' : 'stopped';
}
