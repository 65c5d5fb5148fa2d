import type { ComponentChild, FunctionComponent } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LinkFormProps } from './link-form/link-form.tsx';
import type { FormTarget } from './link-form/link-form-values.ts';

/**
 * Returns the QR code dialog and a function that opens the dialog. The dialog is loaded on first use, so that the
 * popup opens faster.
 */
export function useQrDialog(): { qrDialog: ComponentChild; showQr: (shortUrl: string) => void } {
  const [qrDialog, setDialog] = useState<ComponentChild>(null);
  const showQr = useCallback(async (shortUrl: string) => {
    const { QrDialog } = await import('./qr-dialog.tsx');
    setDialog(<QrDialog shortUrl={shortUrl} close={() => setDialog(null)} />);
  }, []);
  return { qrDialog, showQr: (shortUrl) => void showQr(shortUrl) };
}

/** Holds the form for a new link. The form's code is loaded on first use, so that the popup opens faster. */
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
