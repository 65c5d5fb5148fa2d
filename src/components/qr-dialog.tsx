import { readableUrl } from '@terse/contract/readable-host';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { saveFile } from '../browser/clipboard-and-download.ts';
import { formatNumber, t } from '../format/i18n.ts';
import { QUIET_ZONE, qrFileName, qrMatrix, qrPath, qrPng, qrSvg } from '../format/qr-code.ts';
import { Icon } from './icons.tsx';
import { Announcer } from './page-shell.tsx';
import { ShortAddress } from './url-and-title.tsx';

/** Width and height of the saved or copied picture, in pixels. */
export const SIZES = [256, 512, 1024, 2048] as const;

export const MARGINS = ['none', 'standard', 'wide'] as const;
export type Margin = (typeof MARGINS)[number];

/** Width of each margin, in modules (the squares of a QR code). */
export const MARGIN_MODULES: Record<Margin, number> = { none: 0, standard: QUIET_ZONE, wide: 2 * QUIET_ZONE };

/** The user's choices for saved and copied QR codes. */
export interface QrStyle {
  size: (typeof SIZES)[number];
  margin: Margin;
}

const KEY = 'qrStyle';

/**
 * Returns the last chosen style, or the default. The style is stored in `localStorage`, because only this dialog uses
 * it.
 */
export function readQrStyle(): QrStyle {
  const [size, margin] = (localStorage.getItem(KEY) ?? '').split(' ');
  return {
    size: SIZES.find((one) => String(one) === size) ?? 1024,
    margin: MARGINS.find((one) => one === margin) ?? 'standard',
  };
}

export function writeQrStyle({ size, margin }: QrStyle): void {
  localStorage.setItem(KEY, `${size} ${margin}`);
}

/** Dialog with the QR code of a short URL. The user can scan, copy or save the code. */
export function QrDialog({ shortUrl, close }: { shortUrl: string; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [style, setStyle] = useState(readQrStyle);
  const [copied, setCopied] = useState(false);
  const [problem, setProblem] = useState<'qrCopyRefused' | 'qrUndrawn' | null>(null);
  const shown = useMemo(() => qrMatrix(shortUrl), [shortUrl]);
  useLayoutEffect(() => dialog.current?.showModal(), []);

  const matrix = () => qrMatrix(shortUrl, MARGIN_MODULES[style.margin]);
  const draw = () => qrPng(matrix(), style.size);
  const say = (isCopied: boolean, what: typeof problem) => {
    setCopied(isCopied);
    setProblem(what);
  };
  const change = (changed: Partial<QrStyle>) => {
    const next = { ...style, ...changed };
    setStyle(next);
    say(false, null);
    writeQrStyle(next);
  };
  const copy = () =>
    copyPng(draw()).then(
      () => say(true, null),
      () => say(false, 'qrCopyRefused'),
    );
  const keep = (type: 'png' | 'svg', picture: Blob) => saveFile(picture, qrFileName(shortUrl, type));
  const savePng = () =>
    draw().then(
      (picture) => keep('png', picture),
      () => say(false, 'qrUndrawn'),
    );

  return (
    <dialog ref={dialog} class="qr-dialog" aria-label={t('qrTitle')} onClose={close} closedby="any">
      <div class="qr-card">
        <svg
          class="qr"
          viewBox={`0 0 ${shown.length} ${shown.length}`}
          role="img"
          aria-label={t('qrNamed', readableUrl(shortUrl))}
        >
          <rect class="qr-light" width="100%" height="100%" />
          <path class="qr-dark" d={qrPath(shown)} />
        </svg>
        <ShortAddress url={shortUrl} />
        <div class="qr-choices">
          <Choice
            id="qr-size"
            label={t('qrSize')}
            all={SIZES}
            words={(size) => t('qrPixels', formatNumber(size))}
            value={style.size}
            choose={(size) => change({ size })}
          />
          <Choice
            id="qr-margin"
            label={t('qrMargin')}
            all={MARGINS}
            words={(margin) => t(`qrMargin_${margin}`)}
            value={style.margin}
            choose={(margin) => change({ margin })}
          />
        </div>
        {style.margin === 'none' && <p class="help">{t('qrMarginHelp')}</p>}
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
          <button type="button" class="button" onClick={() => keep('svg', qrSvg(matrix(), style.size))}>
            <Icon name="down" />
            {t('qrSaveSvg')}
          </button>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {t('close')}
          </button>
        </div>
      </div>
    </dialog>
  );
}

interface ChoiceProps<T> {
  id: string;
  label: string;
  all: readonly T[];
  words: (one: T) => string;
  value: T;
  choose: (one: T) => void;
}

function Choice<T extends string | number>({ id, label, all, words, value, choose }: ChoiceProps<T>) {
  return (
    <>
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={String(value)}
        onChange={({ currentTarget }) => choose(all[currentTarget.selectedIndex] ?? value)}
      >
        {all.map((one) => (
          <option key={one} value={String(one)}>
            {words(one)}
          </option>
        ))}
      </select>
    </>
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
