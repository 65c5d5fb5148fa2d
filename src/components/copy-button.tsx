import { useCallback, useState } from 'preact/hooks';
import { writeClipboard } from '../browser/clipboard-and-download.ts';
import { t } from '../format/i18n.ts';
import { Icon, IconButton } from './icons.tsx';

/** What the clipboard was last given by this page, and how to give it something else. */
export interface Clipboard {
  /** The text last copied, or null. */
  copied: string | null;
  /** `quietly`: a browser that refuses is no news for the person. */
  copy: (text: string, quietly?: boolean) => void;
}

/** @param write puts text on the clipboard; rejects where the browser refuses, which it is for the page to say */
export function useClipboard(write: (text: string) => Promise<void>): Clipboard {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = useCallback(
    (text: string, quietly = false) => {
      const written = quietly ? writeClipboard(text) : write(text);
      written.then(
        () => setCopied(text),
        () => setCopied(null),
      );
    },
    [write],
  );
  return { copied, copy };
}

/** The copy button of a list's row: an icon that turns into a tick. */
export function CopyIcon({ text, clipboard }: { text: string; clipboard: Clipboard }) {
  const done = clipboard.copied === text;
  return (
    <IconButton
      icon={done ? 'check' : 'copy'}
      name={t(done ? 'copiedNamed' : 'copyNamed', text)}
      class={done ? 'is-done' : ''}
      press={() => clipboard.copy(text)}
    />
  );
}

/** Shows a short URL as a QR code. */
export function QrButton({ show }: { show: () => void }) {
  return (
    <button type="button" class="button" aria-label={t('qrTitle')} title={t('qrTitle')} onClick={show}>
      <Icon name="qr" />
    </button>
  );
}
