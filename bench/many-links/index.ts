import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fill } from '../database.ts';
import { tableOf } from '../figures.ts';
import { type Measured, measureDatabase } from './measure-database.ts';

export interface ManyLinksOptions {
  folder: string;
  links: number;
  seconds: number;
  tell(text: string): void;
}

const FEW = 100_000;

const GIGABYTE = 2 ** 30;

/** Space that must stay free on the disk, in bytes. */
const KEPT_FREE = 12 * GIGABYTE;

/** Disk space in bytes that the whole measurement needs per link. */
const BYTES_PER_LINK = 240;

/**
 * Measures the service with very many links and, for comparison, with few links.
 *
 * @returns a table
 * @throws Error if the disk is too small
 */
export async function measureManyLinks({ folder, links, seconds, tell }: ManyLinksOptions): Promise<string> {
  const needed = links * BYTES_PER_LINK + KEPT_FREE;
  if (freeSpace(folder) < needed) {
    throw new Error(
      `${links.toLocaleString('en')} links need ${gigabytes(needed)} GB of free disk space in ${folder}, of which ${gigabytes(KEPT_FREE)} GB stay free. There are ${gigabytes(freeSpace(folder))} GB. Set TMPDIR to a folder on a larger disk, or measure fewer links.`,
    );
  }
  const measure = async (count: number): Promise<Measured[]> => {
    const path = join(folder, 'links.db');
    await fill(path, count, (made) => {
      if (made % 1_000_000 === 0) tell(`${made.toLocaleString('en')} of ${count.toLocaleString('en')} links`);
      if (freeSpace(folder) < KEPT_FREE) throw new Error(`Less than ${gigabytes(KEPT_FREE)} GB are free in ${folder}.`);
    });
    const measured = await measureDatabase({ folder, path, links: count, seconds, tell });
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    rmSync(`${path}-clicks`, { force: true, recursive: true });
    return measured;
  };
  return compare(await measure(FEW), await measure(links), links);
}

export function compare(few: Measured[], many: Measured[], links: number): string {
  const list = (values: number[], unit: string) =>
    `${values.map((value) => value.toFixed(value >= 100 ? 0 : 2)).join(', ')} ${unit}`.trim();
  const rows = many.map(({ name, values, unit }, at) => {
    const base = few[at]?.values ?? [];
    const ratios = values.map((value, index) => value / (base[index] ?? Number.NaN));
    return [name, list(base, unit), list(values, unit), list(ratios, 'times')];
  });
  return tableOf(['what', `${FEW.toLocaleString('en')} links`, `${links.toLocaleString('en')} links`, 'ratio'], rows);
}

function freeSpace(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const gigabytes = (bytes: number): string => (bytes / GIGABYTE).toFixed(1);
