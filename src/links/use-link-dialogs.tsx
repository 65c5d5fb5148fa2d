import type { ComponentChild } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import type { Link } from '../queue/types.ts';
import type { LinksHandlers } from './handlers.ts';

/** The dialogs about one link, over the page; what shows them is loaded when one is asked for. */
export function useLinkDialogs({ edit, readClicks, tell }: Pick<LinksHandlers, 'edit' | 'readClicks' | 'tell'>) {
  const [linkDialog, setDialog] = useState<ComponentChild>(null);
  const close = useCallback(() => setDialog(null), []);

  const showEdit = useCallback(
    async (link: Link) => {
      const { EditDialog } = await import('./edit-dialog.tsx');
      setDialog(<EditDialog link={link} save={edit} tell={tell} close={close} />);
    },
    [edit, tell, close],
  );
  const showClicks = useCallback(
    async (link: Link) => {
      const { ClicksDialog } = await import('./clicks-dialog.tsx');
      setDialog(<ClicksDialog link={link} read={readClicks} close={close} />);
    },
    [readClicks, close],
  );
  return { linkDialog, showEdit, showClicks };
}
