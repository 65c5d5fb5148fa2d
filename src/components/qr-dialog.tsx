import { readableUrl } from '@terse/contract/readable-host';
import { useMemo } from 'preact/hooks';
import { saveFile } from '../browser/clipboard-and-download.ts';
import { t } from '../format/i18n.ts';
import { qrFileName, qrSvg } from '../format/qr-code.ts';
import { useModal } from './dialogs.tsx';
import { Icon } from './icons.tsx';
import { ShortAddress } from './url-and-title.tsx';

/** Dialog with the QR code of a short URL. The user can scan or save the code, or copy it with the browser's menu. */
export function QrDialog({ shortUrl, close }: { shortUrl: string; close: () => void }) {
  const dialog = useModal();
  const svg = useMemo(() => qrSvg(shortUrl), [shortUrl]);
  const save = () => saveFile(new Blob([svg], { type: 'image/svg+xml' }), qrFileName(shortUrl));
  return (
    <dialog ref={dialog} class="qr-dialog" aria-label={t('qrTitle')} onClose={close} closedby="any">
      <img class="qr" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={t('qrNamed', readableUrl(shortUrl))} />
      <ShortAddress url={shortUrl} />
      <div class="actions">
        <button autofocus type="button" class="button" onClick={save}>
          <Icon name="down" />
          {t('qrSaveSvg')}
        </button>
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {t('close')}
        </button>
      </div>
    </dialog>
  );
}
