import { signal } from '@preact/signals';
import { readableUrl } from '@terse/contract/readable-host';
import { t } from '../format/i18n.ts';

/** Error message over a page. */
export interface FlashMessage {
  text: string;
  /** URL that the message is about, if the user needs to see this URL. */
  url?: string;
}

/** Copies texts, and holds the messages that a page shows or that screen readers read. */
export type Copier = ReturnType<typeof createCopier>;

export function createCopier(write: (text: string) => Promise<void>) {
  /** Text that was copied last. Null if the last attempt failed. */
  const copied = signal<string | null>(null);
  const flash = signal<FlashMessage | null>(null);
  const announced = signal('');

  /** Announces a text to screen readers. They read only changed text, so a space is added to repeated text. */
  function announce(text: string): void {
    announced.value = announced.value === text ? `${text}\u00A0` : text;
  }

  /**
   * Copies a text with international domains in readable form.
   *
   * @param quietly true to show no error if the browser refuses to copy
   */
  async function copy(text: string, quietly = false): Promise<void> {
    const readable = text.split('\n').map(readableUrl).join('\n');
    try {
      await write(readable);
      copied.value = text;
      if (!quietly) flash.value = null;
    } catch {
      copied.value = null;
      if (!quietly) flash.value = { text: t('copyRefused'), url: readable };
    }
  }

  return { copied, flash, announced, announce, copy };
}
