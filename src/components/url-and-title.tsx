import { type ComponentChild, Fragment } from 'preact';
import { displayText, displayUrl } from '../format/display-text.ts';
import { type MessageKey, t } from '../format/i18n.ts';

/**
 * A URL for reading: the host first, its end cut off where there is no room, the whole of it on hover. Isolated, so that
 * characters of another direction stay inside.
 */
export function Address({ url }: { url: string }) {
  const { host, rest } = displayUrl(url);
  return (
    <bdi class="address line" dir="ltr" title={displayText(url)}>
      {host && <span class="address-host">{host}</span>}
      {rest}
    </bdi>
  );
}

/** More than this does not fit into the popup's large type, in UTF-16 units. */
const LONG = 25;

/** A short URL: the host quiet, the short code loud. `otherHost`: the host is not the service's own, and as loud. */
export function ShortAddress({ url, otherHost = false }: { url: string; otherHost?: boolean }) {
  const { host, rest } = displayUrl(url);
  const classes = `${otherHost ? 'is-other-host' : ''} ${host.length + rest.length > LONG ? 'is-long' : ''}`;
  return (
    <bdi class={`short line ${classes}`} dir="ltr" title={displayText(url)}>
      <span class="short-host">{host}</span>
      <span class="short-code">{rest}</span>
    </bdi>
  );
}

interface ForeignTextProps {
  text: string;
  class?: string;
  /** Shown on hover; the text itself unless it is given. */
  hover?: string;
}

/** Text that a page or a service wrote. Isolated: characters of another direction stay inside. */
export function UntrustedText({ text, class: extra = '', hover = text }: ForeignTextProps) {
  return (
    <bdi class={extra} title={displayText(hover)}>
      {displayText(text)}
    </bdi>
  );
}

/** Stands for the part that is put there afterwards: a character that no string has. */
const MARK = '\uE000';

/** A string whose placeholders are elements: a title that is isolated, a link. `fill('removed', <ForeignText … />)`. */
export function interpolate(key: MessageKey, ...parts: ComponentChild[]): ComponentChild {
  const marked = t(key, ...parts.map((_, index) => MARK + index));
  return marked.split(/\u2068?\uE000(\d)\u2069?/).map((text, index) => {
    const part = index % 2 === 0 ? text : parts[Number(text)];
    return <Fragment key={index}>{part}</Fragment>;
  });
}
