import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../format/i18n.ts';

/** Number of rows shown at first. Each press of "Show more" doubles the number of shown rows. */
const FIRST = 100;

/**
 * Shows the first rows of a long list, and a button that shows more. All shown rows are in the document, so the
 * browser's text search finds them.
 *
 * @param list element that contains the rows. When more rows are shown, the first new row gets the focus.
 * @param rowSelector selector of a row
 */
export function useShowMore<T>(all: T[], list: RefObject<HTMLElement | null>, rowSelector: string) {
  const [limit, setLimit] = useState(FIRST);
  const added = useRef<number | null>(null);
  useLayoutEffect(() => {
    const row = added.current === null ? null : list.current?.querySelectorAll(rowSelector)[added.current];
    added.current = null;
    row?.querySelector<HTMLElement>('input, button, a')?.focus();
  }, [limit]);
  const showMore = () => {
    added.current = limit;
    setLimit(limit * 2);
  };
  const hasMore = all.length > limit;
  const more = hasMore && (
    <div class="show-more">
      <button type="button" class="button is-quiet" onClick={showMore}>
        {t('showMore')}
      </button>
    </div>
  );
  return { shown: hasMore ? all.slice(0, limit) : all, more };
}
