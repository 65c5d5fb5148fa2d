import { useMemo } from 'preact/hooks';
import browser from '../platform/browser.ts';
import { isWebAddress } from '../target/target.ts';
import { linksToCsv } from '../ui/csv.ts';
import { save } from '../ui/save.ts';
import type { useFlash } from '../ui/use-flash.ts';
import type { LinksHandlers } from './handlers.ts';
import type { useRemoval } from './use-removal.ts';

type Flash = Pick<ReturnType<typeof useFlash>, 'change' | 'show'>;
type Removal = Pick<ReturnType<typeof useRemoval>, 'remove' | 'undo' | 'hold'>;

/** What the links page can do, over the browser and the background. */
export function useLinksHandlers({ change, show }: Flash, { remove, undo, hold }: Removal): LinksHandlers {
  return useMemo(
    () => ({
      remove,
      undo,
      hold,
      clear: () => void change({ type: 'clear-links' }),
      dismiss: () => show(null),
      open: (url) => isWebAddress(url) && void browser.tabs.create({ url }),
      openOptions: () => void browser.runtime.openOptionsPage(),
      exportCsv: (links) => save(new Blob([linksToCsv(links)], { type: 'text/csv' }), 'terse-links.csv'),
    }),
    [remove, undo, hold, change, show],
  );
}
