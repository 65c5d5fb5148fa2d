import { readableUrl } from '@terse/contract/readable-host';
import { useMemo, useState } from 'preact/hooks';
import { saveFile } from '../browser/clipboard-and-download.ts';
import { t } from '../format/i18n.ts';
import { qrFileName, qrMatrix, qrPath, qrPng, qrSvg } from '../format/qr-code.ts';
import { useModal } from './dialogs.tsx';
import { Icon } from './icons.tsx';
import { Announcer } from './page-shell.tsx';
import { ShortAddress } from './url-and-title.tsx';

/** Width and height of the saved or copied picture, in pixels. */
const SIZE = 1024;

/** Dialog with the QR code of a short URL. The user can scan, copy or save the code. */
export function QrDialog({ shortUrl, close }: { shortUrl: string; close: () => void }) {
  const dialog = useModal();
  const [copied, setCopied] = useState(false);
  const [problem, setProblem] = useState<'qrCopyRefused' | 'qrUndrawn' | null>(null);
  const matrix = useMemo(() => qrMatrix(shortUrl), [shortUrl]);

  const say = (isCopied: boolean, what: typeof problem) => {
    setCopied(isCopied);
    setProblem(what);
  };
  const copy = () =>
    copyPng(qrPng(matrix, SIZE)).then(
      () => say(true, null),
      () => say(false, 'qrCopyRefused'),
    );
  const keep = (type: 'png' | 'svg', picture: Blob) => saveFile(picture, qrFileName(shortUrl, type));
  const savePng = () =>
    qrPng(matrix, SIZE).then(
      (picture) => keep('png', picture),
      () => say(false, 'qrUndrawn'),
    );

  return (
    <dialog ref={dialog} class="qr-dialog" aria-label={t('qrTitle')} onClose={close} closedby="any">
      <svg
        class="qr"
        viewBox={`0 0 ${matrix.length} ${matrix.length}`}
        role="img"
        aria-label={t('qrNamed', readableUrl(shortUrl))}
      >
        <rect class="qr-light" width="100%" height="100%" />
        <path class="qr-dark" d={qrPath(matrix)} />
      </svg>
      <ShortAddress url={shortUrl} />
      {problem && <p class="problem">{t(problem)}</p>}
      <Announcer text={problem ? t(problem) : copied ? t('copied') : ''} />
      <div class="actions">
        <button autofocus type="button" class={`button ${copied ? 'is-done' : ''}`} onClick={() => void copy()}>
          <Icon name={copied ? 'check' : 'copy'} />
          {t(copied ? 'copied' : 'qrCopy')}
        </button>
        <button type="button" class="button" onClick={() => void savePng()}>
          <Icon name="down" />
          {t('qrSave')}
        </button>
        <button type="button" class="button" onClick={() => keep('svg', qrSvg(matrix, SIZE))}>
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

/**
 * Copies a picture. The clipboard receives a promise, because browsers refuse to copy after an `await` in a click
 * handler.
 */
async function copyPng(picture: Promise<Blob>): Promise<void> {
  // Prevents an unhandled rejection of `picture` if the browser refuses to copy.
  picture.catch(() => undefined);
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
}
