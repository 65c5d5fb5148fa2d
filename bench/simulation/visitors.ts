import { randomBytes } from 'node:crypto';
import { type Figure, plain } from '../figures.ts';
import { createHyperLogLog } from './hyperloglog.ts';

/** Bytes on disk per visitor row, measured on PostgreSQL in `docs/scaling.md`. */
const VISITOR_ROW = 93;
/** Bytes of a PostgreSQL row with a link, a day and the row's index entry, without the HyperLogLog sketch. */
const SKETCH_ROW = 60;
/** Bytes of one register in a sparse HyperLogLog sketch. They contain the register's index and rank. */
const SPARSE_ENTRY = 3;
const BITS = 12;
const DENSE = (2 ** BITS * 6) / 8;

const LINKS = 1_000_000_000;
const PER_SECOND = 100_000;
const SECONDS = 86_400;

/**
 * Compares the bytes of one day's visitors as database rows and as one HyperLogLog sketch per link. Each click is by
 * another visitor.
 */
export function bytesOfVisitors(): Figure[] {
  const clicks = PER_SECOND * SECONDS;
  return Object.entries({ flat: flatLinks(clicks), "by Zipf's law": zipfLinks(clicks) }).flatMap(([shape, groups]) => {
    let rows = 0;
    let sketches = 0;
    for (const { links, visitors } of groups) {
      rows += links * visitors * VISITOR_ROW;
      // Links with less than one visitor per day on average have no visitors on some days.
      const visited = links * -Math.expm1(-visitors);
      const each = visitors / -Math.expm1(-visitors);
      sketches += visited * (SKETCH_ROW + Math.min(DENSE, each * SPARSE_ENTRY));
    }
    const name = `visitors of a day at a billion links and 100,000 redirects a second, traffic ${shape}`;
    return [
      plain(`${name}, as rows`, `${(rows / 1e9).toFixed(0)} GB`),
      plain(`${name}, as a HyperLogLog a link`, `${(sketches / 1e9).toFixed(0)} GB`),
    ];
  });
}

interface Group {
  links: number;
  visitors: number;
}

const flatLinks = (clicks: number): Group[] => [{ links: LINKS, visitors: clicks / LINKS }];

/**
 * Groups links of similar ranks. The ranks in a group differ by at most a tenth, and each group uses the visitors of
 * its middle rank.
 */
function zipfLinks(clicks: number): Group[] {
  const first = clicks / (Math.log(LINKS) + 0.5772);
  const groups: Group[] = [];
  for (let rank = 1; rank <= LINKS; ) {
    const next = Math.min(LINKS + 1, Math.max(rank + 1, Math.floor(rank * 1.1)));
    groups.push({ links: next - rank, visitors: first / Math.sqrt(rank * (next - 1)) });
    rank = next;
  }
  return groups;
}

/** Returns the largest error of a hundred HyperLogLog sketches. Counting with database rows has no error. */
export function errorsOfSketches(): Figure[] {
  return [10, 1000, 100_000].map((visitors) => {
    const errors = Array.from({ length: visitors > 1e4 ? 10 : 100 }, () => {
      const sketch = createHyperLogLog(BITS);
      const hashes = randomBytes(8 * visitors);
      for (let at = 0; at < visitors; at += 1) sketch.add(hashes.readBigUInt64BE(8 * at));
      return Math.abs(sketch.estimate() / visitors - 1);
    });
    const name = `largest error of a HyperLogLog of ${DENSE} bytes, ${visitors.toLocaleString('en')} visitors`;
    return plain(name, `${(100 * Math.max(...errors)).toFixed(1)} %`);
  });
}
