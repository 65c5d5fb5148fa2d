import type { ComponentChild } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import type { Link } from '../../queue/types.ts';
import type { LinksActions } from './use-links-actions.ts';

/** Holds the dialogs for one link. Their code is loaded on first use. */
export function useLinkDialogs({ edit, readClicks, tell }: Pick<LinksActions, 'edit' | 'readClicks' | 'tell'>) {
  const [linkDialog, setDialog] = useState<ComponentChild>(null);
  const close = useCallback(() => setDialog(null), []);

  const showEdit = useCallback(
    async (link: Link) => {
      const { EditDialog } = await import('./edit-link-dialog.tsx');
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
