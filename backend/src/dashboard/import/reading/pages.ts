import type { Fields } from './record.ts';

/** Where the APIs of other services say that there is more than one page. */
const TOTAL = ['total', 'pagination.totalitems', 'shorturls.pagination.totalitems', 'stats.totallinks'];
const NEXT = ['nextpagetoken', 'pagination.next', 'nextcursor'];

/** Finds out from what pages say beside their entries whether all pages are there. */
export function createPageCounts() {
  let total = 0;
  let hasNext = false;
  return {
    add(page: Fields): void {
      for (const name of TOTAL) total = Math.max(total, Number(page.get(name)) || 0);
      hasNext = NEXT.some((name) => Boolean(page.get(name))) || page.get('listcomplete') === false;
    },
    /** Whether links are missing, where `found` of them were read. */
    isPart: (found: number) => hasNext || found < total,
  };
}
