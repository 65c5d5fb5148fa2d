import { readableUrl } from '@terse/contract/readable-host';
import { displayText, displayUrl } from '../format/display-text.ts';
import { t } from '../format/i18n.ts';
import type { Problem } from '../queue/types.ts';

/**
 * Shows a URL with its host first. A long URL is cut off at the end; the tooltip shows it in full. The text is
 * isolated, so that its direction does not affect the surrounding text.
 */
export function Address({ url }: { url: string }) {
  const { host, rest } = displayUrl(url);
  return (
    <bdi class="address line" dir="ltr" title={displayText(readableUrl(url))}>
      {host}
      {rest}
    </bdi>
  );
}

/** Number of UTF-16 code units above which the popup shows a short URL in a smaller font. */
const LONG = 21;

/**
 * Shows a short URL with its short code emphasized. If `otherHost` is true, the host is emphasized too, because it is
 * unusual.
 */
export function ShortAddress({ url, otherHost = false }: { url: string; otherHost?: boolean }) {
  const { host, rest } = displayUrl(url);
  const classes = `${otherHost ? 'is-other-host' : ''} ${host.length + rest.length > LONG ? 'is-long' : ''}`;
  return (
    <bdi class={`short line ${classes}`} dir="ltr" title={displayText(readableUrl(url))}>
      <span class="short-host">{host}</span>
      <span class="short-code">{rest}</span>
    </bdi>
  );
}

interface ForeignTextProps {
  text: string;
  class?: string;
  /** Tooltip. The default is the text itself. */
  hover?: string;
}

/**
 * Shows text from a page or a server. The text is isolated, so that its direction does not affect the surrounding
 * text.
 */
export function UntrustedText({ text, class: extra = '', hover = text }: ForeignTextProps) {
  return (
    <bdi class={extra} title={displayText(hover)}>
      {displayText(text)}
    </bdi>
  );
}

/** Placeholder that is replaced by an element. It is a private-use character that no message contains. */
const MARK = '\uE000';

/** Problems for which the server's message only repeats the extension's own message. */
const PLAIN = ['short_code_taken', 'generated_code_taken', 'expired', 'unauthorized', 'invalid_url'];

/** Shows a message of the server in quotation marks, so that users can tell it from messages of the extension. */
export function ServerMessage({ problem, class: classes }: { problem: Problem | null; class: string }) {
  if (!problem?.message || PLAIN.includes(problem.code)) return null;
  const [before, after] = t('serviceSaid', MARK).split(/\u2068?\uE000\u2069?/);
  return (
    <span class={classes}>
      {before}
      <q>
        <UntrustedText text={problem.message} />
      </q>
      {after}
    </span>
  );
}
