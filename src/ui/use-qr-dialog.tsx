import type { ComponentChild } from 'preact';
import { useCallback, useState } from 'preact/hooks';

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
