import { useEffect, useRef, useState } from 'preact/hooks';
import { ShortAddress } from './address.tsx';
import { Icon } from './icons.tsx';
import { save } from './save.ts';
import { t } from './strings.ts';

type Drawing = { matrix: boolean[][]; path: string; picture: () => Promise<Blob | null> };

/** The QR code of a short URL, over the page: nothing below it moves. */
export function QrDialog({ shortUrl, close }: { shortUrl: string; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const drawing = useDrawing(shortUrl);
  useEffect(() => dialog.current?.showModal(), []);

  const download = async () => {
    const picture = await drawing?.picture();
    if (picture) save(picture, `qr-${shortUrl.replace(/^https?:\/\//, '').replace(/[^\w.-]+/g, '-')}.png`);
  };

  return (
    <dialog ref={dialog} class="qr-dialog" aria-label={t('qrTitle')} onClose={close} closedby="any">
      <div class="qr-card">
        <svg
          class="qr"
          viewBox={`0 0 ${drawing?.matrix.length ?? 1} ${drawing?.matrix.length ?? 1}`}
          role="img"
          aria-label={t('qrNamed', shortUrl)}
        >
          <rect class="qr-light" width="100%" height="100%" />
          <path class="qr-dark" d={drawing?.path ?? ''} />
        </svg>
        <ShortAddress url={shortUrl} />
        <div class="actions">
          <button type="button" class="button" onClick={() => void download()}>
            <Icon name="down" />
            {t('qrSave')}
          </button>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {t('close')}
          </button>
        </div>
      </div>
    </dialog>
  );
}

/** The encoder is fetched when a code is asked for: a popup that opens for one button does not wait for it. */
function useDrawing(text: string): Drawing | null {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  useEffect(() => {
    void import('./qr-matrix.ts').then(({ qrMatrix, qrPath, qrPicture }) => {
      const matrix = qrMatrix(text);
      setDrawing({ matrix, path: qrPath(matrix), picture: () => qrPicture(matrix) });
    });
  }, [text]);
  return drawing;
}
