import type { Config } from '../config/environment.ts';
import { domainNames } from '../domain/links/short-domains.ts';
import type { Log } from '../log/json-log.ts';
import type { LinkStore } from '../store/sql/link-queries.ts';
import { SettingError } from '../store/store-errors.ts';

/**
 * Returns the hosts that have links but are no longer in the settings. Logs a warning for each of these hosts.
 *
 * @throws SettingError if links on the default domain were created while another domain was the default
 */
export async function findRemovedDomains({
  config,
  store,
  log,
}: {
  config: Pick<Config, 'shortBaseUrls'>;
  store: { links: Pick<LinkStore, 'hosts'> };
  log: Log;
}): Promise<string[]> {
  const [first, ...others] = config.shortBaseUrls;
  const listed = first === undefined ? [] : domainNames([first, ...others]);
  const used = await store.links.hosts();
  if (listed[0] !== undefined && used.includes(listed[0])) {
    throw new SettingError(
      `${listed[0]} is the first address of the short URLs, but links were created on it while another address was the first. Put the earlier first address first again in TERSE_SHORT_BASE_URL.`,
    );
  }
  const removed = used.filter((host) => !listed.includes(host));
  for (const host of removed) {
    log('warn', 'this domain has links, but TERSE_SHORT_BASE_URL does not list it, so its short URLs do not work', {
      host,
    });
  }
  return removed;
}
