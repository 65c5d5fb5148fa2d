import type { Runtime } from '../../browser/browser.ts';
import browser from '../../browser/browser.ts';
import { COPY_MESSAGE } from '../../browser/clipboard-and-download.ts';

// The asynchronous clipboard API needs a focused document, and this document never has the focus. `execCommand` does
// not need the focus.
browser.runtime.onMessage.addListener((message: unknown, sender: Runtime.MessageSender) => {
  const { type, text } = message as { type?: unknown; text?: unknown };
  if (sender.id !== browser.runtime.id || sender.tab || type !== COPY_MESSAGE || typeof text !== 'string') return;
  return Promise.resolve(copy(text));
});

function copy(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}
