import { LARGEST } from '../data/contents.ts';
import { isTooMuch, type Taken, takeText, withinLimit } from './bounds.ts';
import { foundInHtml } from './read-file.ts';

/**
 * What is pasted or dropped: files, dragged links, or text. Formatted text whose words hold no address is read by its links:
 * a list copied from a page.
 */
export function readTransfer(transfer: Pick<DataTransfer, 'files' | 'getData'>): { files: File[]; found: Taken } {
  const files = [...transfer.files];
  if (files.length > 0) return { files, found: [] };
  const [uris, text] = [transfer.getData('text/uri-list'), transfer.getData('text/plain')];
  if (isTooMuch(uris)) return { files, found: 'too_much' };
  // Comments in it start with a number sign (RFC 2483).
  const dragged = uris.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  if (dragged.length > 0) return { files, found: withinLimit(dragged.map((one) => ({ text: one, title: '' }))) };
  const html = /https?:/i.test(text) ? '' : transfer.getData('text/html');
  if (html.length > LARGEST) return { files, found: 'too_much' };
  const links = foundInHtml(html).filter((link) => /^https?:/i.test(link.text));
  return { files, found: links.length > 0 ? withinLimit(links) : takeText(text) };
}
