import { type Found, foundInText } from './entries.ts';
import { foundInHtml } from './read-file.ts';

/**
 * What is pasted or dropped: files, dragged links, or text. Formatted text whose words hold no address is read by its links:
 * a list copied from a page.
 */
export function readTransfer(transfer: Pick<DataTransfer, 'files' | 'getData'>): { files: File[]; found: Found[] } {
  const files = [...transfer.files];
  if (files.length > 0) return { files, found: [] };
  // Comments in it start with a number sign (RFC 2483).
  const uris = transfer.getData('text/uri-list').split(/\r?\n/);
  const dragged = uris.filter((line) => line !== '' && !line.startsWith('#'));
  if (dragged.length > 0) return { files, found: dragged.map((text) => ({ text, title: '' })) };
  const text = transfer.getData('text/plain');
  const links = /https?:/i.test(text) ? [] : foundInHtml(transfer.getData('text/html'));
  const webLinks = links.filter((link) => /^https?:/i.test(link.text));
  return { files, found: webLinks.length > 0 ? webLinks : foundInText(text) };
}
