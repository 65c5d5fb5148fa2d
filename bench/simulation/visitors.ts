import { randomBytes } from 'node:crypto';
import { type Figure, plain } from '../figures.ts';
import { createHyperLogLog } from './hyperloglog.ts';

/** Bytes on disk per visitor row, measured on PostgreSQL in `docs/scaling.md`. */
const VISITOR_ROW = 93;
/** Size in bytes of a PostgreSQL row for one link and day, with its index entry but without the HyperLogLog sketch. */
const SKETCH_ROW = 60;
/**
 * Size in bytes of one entry in a sparse HyperLogLog sketch. An entry contains the index and the rank of a register.
 */
const SPARSE_ENTRY = 3;
const BITS = 12;
const DENSE = (2 ** BITS * 6) / 8;

const LINKS = 1_000_000_000;
const PER_SECOND = 100_000;
const SECONDS = 86_400;

/**
 * Compares the storage in bytes for the visitors of one day: as database rows, and as one HyperLogLog sketch per
 * link. Each click comes from a different visitor.
 */
export function bytesOfVisitors(): Figure[] {
  const clicks = PER_SECOND * SECONDS;
  return Object.entries({ flat: flatLinks(clicks), "by Zipf's law": zipfLinks(clicks) }).flatMap(([shape, groups]) => {
    let rows = 0;
    let sketches = 0;
    for (const { links, visitors } of groups) {
      rows += links * visitors * VISITOR_ROW;
      // Links that average less than one visitor per day have no visitors on some days.
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
 * Groups links of similar rank. The ranks within a group differ by at most a tenth, and every link counts as if it
 * had the middle rank of its group.
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

/** For each number of visitors, returns the largest error of several HyperLogLog sketches. */
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
