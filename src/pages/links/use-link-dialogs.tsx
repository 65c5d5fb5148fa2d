import type { ComponentChild } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { connectionOfLink } from '../../link-sync/ask-server.ts';
import type { Connection, Link } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import type { LinksActions } from './use-links-actions.ts';

/** Holds the dialogs for a single link. Their code is loaded on first use. */
export function useLinkDialogs(
  { edit, readClicks, tell }: Pick<LinksActions, 'edit' | 'readClicks' | 'tell'>,
  connections: Connection[],
) {
  const [linkDialog, setDialog] = useState<ComponentChild>(null);
  const close = useCallback(() => setDialog(null), []);

  const showEdit = useCallback(
    async (link: Link) => {
      const { EditDialog } = await import('./edit-link-dialog.tsx');
      const connection = connectionOfLink(link, connections);
      if (!connection) return;
      const can = capabilitiesOf(connection);
      setDialog(<EditDialog link={link} can={can} save={edit} tell={tell} close={close} />);
    },
    [edit, tell, close, connections],
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
