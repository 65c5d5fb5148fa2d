import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../format/i18n.ts';

/** Number of rows shown at first, and added with each press of the button. */
const PAGE = 100;

/**
 * Shows the first rows of a long list, and a button for more. The rows are ordinary parts of the page, so that the
 * browser finds and prints them.
 *
 * @param list parent of the rows. The first added row gets the focus.
 * @param rowSelector selector of a row
 */
export function useShowMore<T>(all: T[], list: RefObject<HTMLElement | null>, rowSelector: string) {
  const [limit, setLimit] = useState(PAGE);
  const added = useRef<number | null>(null);
  useLayoutEffect(() => {
    const row = added.current === null ? null : list.current?.querySelectorAll(rowSelector)[added.current];
    added.current = null;
    row?.querySelector<HTMLElement>('input, button, a')?.focus();
  }, [limit]);
  const showMore = () => {
    added.current = limit;
    setLimit(limit + PAGE);
  };
  const more = all.length > limit && (
    <div class="show-more">
      <button type="button" class="button is-quiet" onClick={showMore}>
        {t('showMore')}
      </button>
    </div>
  );
  return { shown: all.length > limit ? all.slice(0, limit) : all, more };
}
