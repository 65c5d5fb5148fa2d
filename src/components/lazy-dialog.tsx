import type { ComponentChild, FunctionComponent } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LinksActions } from '../pages/links/use-links-actions.ts';
import type { Link } from '../queue/types.ts';
import type { LinkFormProps } from './link-form/link-form.tsx';
import type { FormTarget } from './link-form/link-form-values.ts';

/**
 * The QR code of a short URL, over the page. What shows and draws it is loaded when one is asked for: a popup that opens
 * for one button does not wait for it.
 */
export function useQrDialog(): { qrDialog: ComponentChild; showQr: (shortUrl: string) => void } {
  const [qrDialog, setDialog] = useState<ComponentChild>(null);
  const showQr = useCallback(async (shortUrl: string) => {
    const { QrDialog } = await import('./qr-dialog.tsx');
    setDialog(<QrDialog shortUrl={shortUrl} close={() => setDialog(null)} />);
  }, []);
  return { qrDialog, showQr: (shortUrl) => void showQr(shortUrl) };
}

/** The dialogs about one link, over the page; what shows them is loaded when one is asked for. */
export function useLinkDialogs({ edit, readClicks, tell }: Pick<LinksActions, 'edit' | 'readClicks' | 'tell'>) {
  const [linkDialog, setDialog] = useState<ComponentChild>(null);
  const close = useCallback(() => setDialog(null), []);

  const showEdit = useCallback(
    async (link: Link) => {
      const { EditDialog } = await import('../pages/links/edit-link-dialog.tsx');
      setDialog(<EditDialog link={link} save={edit} tell={tell} close={close} />);
    },
    [edit, tell, close],
  );
  const showClicks = useCallback(
    async (link: Link) => {
      const { ClicksDialog } = await import('../pages/links/clicks-dialog.tsx');
      setDialog(<ClicksDialog link={link} read={readClicks} close={close} />);
    },
    [readClicks, close],
  );
  return { linkDialog, showEdit, showClicks };
}

/** The form for a link, once it is asked for. It is loaded then: a popup that opens for one button does not wait for it. */
export function useLinkForm() {
  const [target, open] = useState<FormTarget | null>(null);
  const [loaded, setLoaded] = useState<{ LinkForm: FunctionComponent<LinkFormProps> } | null>(null);
  const isWanted = target !== null;
  useEffect(() => {
    if (isWanted && !loaded) void import('./link-form/link-form.tsx').then(({ LinkForm }) => setLoaded({ LinkForm }));
  }, [isWanted, loaded]);
  const close = useCallback(() => open(null), []);
  return { target, LinkForm: loaded?.LinkForm ?? null, open, close };
}
