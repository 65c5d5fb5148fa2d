import { setTimeout as sleep } from 'node:timers/promises';
import { domainToUnicode } from 'node:url';
import { type FakeAnswer, type FakeLink, type FakeRequest, FakeServer, Refusal } from './fake-server.ts';

const FLOOD_DELAY_MS = 15_000;

/** Reserved words, and names of the server's own folders. */
const RESERVED = ['', 'reserved', 'admin', 'css', 'images', 'includes', 'js', 'user'];

/** Maximum lengths of columns of the database. A longer value makes the insertion fail. */
const MAX_LENGTH = { keyword: 100, url: 65_535 };

/**
 * Responds like YOURLS 1.10.5-dev (commit b8c7882e). Compared with the real server. The older versions are written from
 * their source.
 */
export class FakeYourls extends FakeServer {
  /** Path of the folder in which YOURLS is installed, for example `/sub`. */
  basePath = '';
  /** False if everyone may create links without a login, at most one in 15 seconds. */
  isPrivate = true;
  /** True if a long URL can have only one link. */
  isUnique = true;
  /** `1.9.2` sends some statuses as numbers. With older versions of PHP, it sends the number of clicks as text. */
  version: '1.9.2' | '1.10.5-dev' = '1.10.5-dev';
  /** True if the server redirects to its upgrade page. */
  needsUpgrade = false;
  /** Time between the check of a URL and the insertion. Two creates in this time may shorten the same URL. */
  insertDelayMs = 0;
  /** URLs that the server opened to read a title. */
  readonly titleLookUps: string[] = [];
  #lastCreate = Number.NEGATIVE_INFINITY;

  protected isCreate({ body }: FakeRequest): boolean {
    return new URLSearchParams(body).get('action') === 'shorturl';
  }

  protected async answer({ path, query, body }: FakeRequest): Promise<FakeAnswer> {
    const redirect = (to: string) => ({ status: 302, headers: { location: this.#site + to } });
    if (this.needsUpgrade) return redirect('/admin/upgrade.php');
    if (path !== `${this.basePath}/yourls-api.php`) return redirect('');
    const sent = Object.fromEntries([...query, ...new URLSearchParams(body)]);
    // The default format is XML.
    if (sent.format !== 'json') return { status: 200, body: '<?xml version="1.0"?>' };
    if (this.isPrivate && sent.signature !== this.apiKey)
      throw new Refusal(403, { message: 'Please log in', errorCode: '403', callback: '' });
    const result = await this.#act(sent);
    const { errorCode, statusCode, code } = result as { errorCode?: string; statusCode?: string; code?: string };
    const status = Number(statusCode ?? errorCode ?? 200);
    if (this.version !== '1.9.2' || code !== undefined) return { status, body: result };
    const numbers = { ...(errorCode && { errorCode: Number(errorCode) }), ...(statusCode && { statusCode: status }) };
    return { status, body: { ...result, ...numbers } };
  }

  async #act({ action, ...sent }: Record<string, string>): Promise<object> {
    const link = this.find(sent.shorturl ?? '');
    if (action === 'version') return { version: this.version };
    if (action === 'shorturl') return this.#shorten(sent);
    if (action === 'stats') return this.#list(Number(sent.start ?? 0), Number(sent.limit));
    if (action === 'url-stats') {
      if (!link) return { statusCode: '404', message: 'Error: short URL not found' };
      return { statusCode: '200', message: 'success', link: this.#toRow(link) };
    }
    return { errorCode: '400', message: 'Unknown or missing "action" parameter' };
  }

  #list(start: number, limit: number): object {
    // Links of the same second are ordered by their codes.
    const rows = this.links
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.shortCode < b.shortCode ? -1 : 1))
      .slice(start, start + limit)
      .map((link, index) => [`link_${index + 1}`, this.#toRow(link)]);
    const links = rows.length ? { links: Object.fromEntries(rows) } : {};
    return { ...links, stats: { total_links: this.links.length }, statusCode: '200', message: 'success' };
  }

  async #shorten(sent: Record<string, string>): Promise<object> {
    const url = sanitizeUrl(sent.url ?? '');
    if (!url) return fail('error:nourl', 'Missing or malformed URL');
    if (!this.isPrivate && this.now - this.#lastCreate < FLOOD_DELAY_MS)
      throw new Refusal(429, '<h2>Too Many Requests</h2>');
    if (url.startsWith(`${this.#site}/`) && this.find(url.slice(this.#site.length + 1)))
      return fail('error:noloop', 'URL is a short URL');
    const existing = this.isUnique && this.links.find((link) => link.url === url);
    if (existing) return { ...fail('error:url', 'URL already exists in database'), ...this.#made(existing) };
    if (!sent.title) this.titleLookUps.push(url);
    // Characters that a code must not have are dropped. PHP treats "0" as false.
    const keyword = (sent.keyword ?? '').replace(/[^0-9a-z]/g, '');
    const code = keyword && keyword !== '0' ? keyword : `made${this.links.length}`;
    if (RESERVED.includes(code) || this.find(code))
      return fail('error:keyword', `Short URL ${code} already exists in database or is reserved`);
    await sleep(this.insertDelayMs);
    const tooLong = code.length > MAX_LENGTH.keyword ? 'keyword' : url.length > MAX_LENGTH.url ? 'url' : null;
    if (tooLong) return fail('error:concurrency', `1406 Data too long for column '${tooLong}' at row 1`, '503');
    if (this.find(code)) return fail('error:concurrency', `1062 Duplicate entry '${code}'`, '503');
    this.#lastCreate = this.now;
    const link = this.add({ shortCode: code, url, title: sent.title || url });
    return { status: 'success', code: '', message: 'added to database', statusCode: '200', ...this.#made(link) };
  }

  #made({ shortCode: keyword, url, title }: FakeLink): object {
    return { url: { keyword, url, title, ip: '127.0.0.1' }, title, shorturl: `${this.#site}/${keyword}` };
  }

  #toRow({ shortCode, url, title, createdAt, clicks }: FakeLink): object {
    const timestamp = new Date(createdAt).toISOString().slice(0, 19).replace('T', ' ');
    const shownClicks = this.version === '1.9.2' ? String(clicks) : clicks;
    return { shorturl: `${this.#site}/${shortCode}`, url, title, timestamp, ip: '127.0.0.1', clicks: shownClicks };
  }

  /** Address of the site, in front of short codes. */
  get #site(): string {
    return this.baseUrl + this.basePath;
  }
}

function fail(code: string, message: string, status = '400'): object {
  return { status: 'fail', code, message, errorCode: status, statusCode: status };
}

/**
 * Removes the parts of a URL that YOURLS removes without a message. Returns an empty text if the scheme is refused.
 */
function sanitizeUrl(sent: string): string {
  const kept = sent.trim().replace(/[\s<>"\\{}^`]/g, '');
  const [, scheme, host = '', rest = ''] = /^(https?:\/\/)([^/?#]*)(.*)$/s.exec(kept) ?? [];
  if (scheme === undefined) return '';
  const [name = '', port] = host.toLowerCase().split(':');
  const shownHost = (name.includes('xn--') ? domainToUnicode(name) : name) + (port === undefined ? '' : `:${port}`);
  return scheme + shownHost + rest.replace(/^([^#]*)#$/, '$1').replace(/^([^?#]*)\?(?=#|$)/, '$1');
}
