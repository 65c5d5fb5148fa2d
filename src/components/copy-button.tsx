import { readableUrl } from '@terse/contract/readable-host';
import { useCallback, useState } from 'preact/hooks';
import { writeClipboard } from '../browser/clipboard-and-download.ts';
import { t } from '../format/i18n.ts';
import { IconButton } from './icons.tsx';

/** Function for copying text, and the text that was copied last. */
export interface Clipboard {
  copied: string | null;
  /** `quietly`: shows no error if the browser refuses to copy. */
  copy: (text: string, quietly?: boolean) => void;
}

/**
 * Remembers which text was copied last. Copies international domains in readable form.
 *
 * @param write writes text to the clipboard; if the browser refuses, `write` shows the error and rejects
 */
export function useClipboard(write: (text: string) => Promise<void>): Clipboard {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = useCallback(
    (text: string, quietly = false) => {
      const readable = text.split('\n').map(readableUrl).join('\n');
      const written = quietly ? writeClipboard(readable) : write(readable);
      written.then(
        () => setCopied(text),
        () => setCopied(null),
      );
    },
    [write],
  );
  return { copied, copy };
}

/** Copy button of a list row. Its icon becomes a check mark after copying. */
export function CopyIcon({ text, clipboard }: { text: string; clipboard: Clipboard }) {
  const done = clipboard.copied === text;
  return (
    <IconButton
      icon={done ? 'check' : 'copy'}
      name={t(done ? 'copiedNamed' : 'copyNamed', readableUrl(text))}
      class={done ? 'is-done' : ''}
      press={() => clipboard.copy(text)}
    />
  );
}
