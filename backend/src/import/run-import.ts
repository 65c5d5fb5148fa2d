import { setImmediate as tick } from 'node:timers/promises';
import type { Services } from '../dashboard/page-definition.ts';
import { spendQuota } from '../dashboard/remaining-quota.ts';
import type { Import, ImportRow } from '../store/interface/import-store.ts';
import { quote } from './preview-import.ts';
import { type LinkSource, type ReadLink, readLinks } from './read-links.ts';
import { type ImportRules, validateSourceLink } from './validate-imported-link.ts';

/** Links imported in one transaction: so few that redirects hardly wait for it. */
const BATCH_SIZE = 200;

const CODE_TAKEN = 'This short code is taken: another link of yours has it, or somebody else.';

type ImportServices = Pick<Services, 'store' | 'clock' | 'isStopping' | 'accountLimits'>;

/** What is to be imported, and how. */
export interface ImportRequest {
  source: LinkSource;
  /** The domains whose links are wanted; null for those without one. */
  domains: ReadonlySet<string | null>;
  rules: ImportRules;
}

/**
 * Imports a file that was surveyed, one batch of links after another, starting with the first that was not handled
 * before. Each becomes a link or is recorded with its problem. A batch is one transaction, so a stop or a crash
 * falls between two batches, and the next run continues there.
 */
export async function runImport(services: ImportServices, run: Import, order: ImportRequest): Promise<void> {
  const { store, clock } = services;
  let isWhole = false;
  try {
    isWhole = await handleRows(services, run, order);
  } finally {
    await (isWhole ? store.imports.finish(run, clock()) : store.imports.leave(run));
  }
}

/** Returns whether the end of the file was reached. */
async function handleRows(services: ImportServices, run: Import, order: ImportRequest): Promise<boolean> {
  const { clock, isStopping } = services;
  let toSkip = handledRows(run);
  let batch: ImportRow[] = [];
  for await (const read of readLinks(order.source, clock())) {
    if (isStopping()) return false;
    toSkip -= 1;
    if (toSkip >= 0) continue;
    batch.push(toImportRow(read, order, clock()));
    if (batch.length < BATCH_SIZE) continue;
    if (!(await handleBatch(services, run, batch))) return false;
    batch = [];
    await tick();
  }
  return !isStopping() && handleBatch(services, run, batch);
}

/** A link to be made, or its problem. */
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
  if (domain === null) return 'This link names no domain, and you chose those of a domain alone.';
  return `This link is on ${domain}, which you did not choose.`;
}

/** Imports as many of some rows as the account may today. Returns whether that was all of them. */
async function handleBatch(services: ImportServices, run: Import, batch: ImportRow[]): Promise<boolean> {
  const { store, clock } = services;
  const spent = await spendQuota(services, run.accountId, 'rows', batch.length);
  const granted = spent ? spent.granted : batch.length;
  const isOurs = await store.imports.apply(run, batch.slice(0, granted), CODE_TAKEN, clock());
  return isOurs && granted === batch.length;
}

/** How many links of an import are done: they were made, were there already, or were recorded with a problem. */
export function handledRows({ made, unchanged, refused }: Pick<Import, 'made' | 'unchanged' | 'refused'>): number {
  return made + unchanged + refused;
}

export type ImportState = 'done' | 'running' | 'stopped';

/** A running import that has not progressed for this long died with its process, in milliseconds. */
const STALLED_AFTER = 20_000;

export function importState({ finishedAt, updatedAt, runner }: Import, now: number): ImportState {
  if (finishedAt !== null) return 'done';
  return runner !== null && now - updatedAt < STALLED_AFTER ? 'running' : 'stopped';
}
