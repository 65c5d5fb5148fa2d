import { shownText } from '../platform/text.ts';
import { shown } from './addresses.ts';

/**
 * A URL for reading: the host first, its end cut off where there is no room, the whole of it on hover. Isolated, so that
 * characters of another direction stay inside.
 */
export function Address({ url }: { url: string }) {
  const { host, rest } = shown(url);
  return (
    <bdi class="address line" dir="ltr" title={shownText(url)}>
      {host && <span class="address-host">{host}</span>}
      {rest}
    </bdi>
  );
}

/** More than this does not fit into the popup's large type, in UTF-16 units. */
const LONG = 25;

/** A short URL: the host quiet, the short code loud. `otherHost`: the host is not the service's own, and as loud. */
export function ShortAddress({ url, otherHost = false }: { url: string; otherHost?: boolean }) {
  const { host, rest } = shown(url);
  const classes = `${otherHost ? 'is-other-host' : ''} ${host.length + rest.length > LONG ? 'is-long' : ''}`;
  return (
    <bdi class={`short line ${classes}`} dir="ltr" title={shownText(url)}>
      <span class="short-host">{host}</span>
      <span class="short-code">{rest}</span>
    </bdi>
  );
}
