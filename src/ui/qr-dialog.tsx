import { useEffect, useMemo, useRef } from 'preact/hooks';
import { ShortAddress } from './address.tsx';
import { Icon } from './icons.tsx';
import { qrMatrix, qrPath, qrPicture } from './qr-matrix.ts';
import { save } from './save.ts';
import { t } from './strings.ts';

/** The QR code of a short URL, over the page: nothing below it moves. */
export function QrDialog({ shortUrl, close }: { shortUrl: string; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const matrix = useMemo(() => qrMatrix(shortUrl), [shortUrl]);
  useEffect(() => dialog.current?.showModal(), []);

  const download = async () => {
    const picture = await qrPicture(matrix);
    if (picture) save(picture, `qr-${shortUrl.replace(/^https?:\/\//, '').replace(/[^\w.-]+/g, '-')}.png`);
  };

  return (
    <dialog ref={dialog} class="qr-dialog" aria-label={t('qrTitle')} onClose={close} closedby="any">
      <div class="qr-card">
        <svg
          class="qr"
          viewBox={`0 0 ${matrix.length} ${matrix.length}`}
          role="img"
          aria-label={t('qrNamed', shortUrl)}
        >
          <rect class="qr-light" width="100%" height="100%" />
          <path class="qr-dark" d={qrPath(matrix)} />
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
