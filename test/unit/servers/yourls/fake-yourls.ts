import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeAnswer, type FakeRequest, FakeServer } from '../conformance/fake-server.ts';
import { fail, output, readParameters, redirect, TOO_FAST, tooManyRequests, trimUrl } from './yourls-http.ts';
import {
  databaseError,
  isReserved,
  sanitizeCode,
  sanitizeTitle,
  sanitizeUrl,
  toSqlTime,
  type YourlsLink,
} from './yourls-links.ts';

const USER = 'tester';
const PASSWORD = 'password1';
const SIGNATURE_LIFETIME_SECONDS = 43_200;
const FLOOD_DELAY_MS = 15_000;

const UNKNOWN_ACTION = { errorCode: '400', message: 'Unknown or missing "action" parameter' };

const MISSING_PARAMETER = { statusCode: 400, status: 'fail', message: 'error: missing param' };

/**
 * Responds like YOURLS 1.10.5-dev (commit b8c7882e). Compared with the real server. The older versions are written from
 * their source.
 */
export class FakeYourls extends FakeServer {
  readonly links: YourlsLink[] = [];
  /** Path of the folder in which YOURLS is installed, for example `/sub`. */
  basePath = '';
  /** False if everyone may create links without a login, at most one in 15 seconds. */
  isPrivate = true;
  /** True if a long URL can have only one link. */
  isUnique = true;
  codeBase: 36 | 62 = 36;
  /** `1.9.2` sends some statuses as numbers. With older versions of PHP, it sends the number of clicks as text. */
  version: '1.9.2' | '1.10.5-dev' = '1.10.5-dev';
  /** True if the server redirects to its upgrade page. */
  needsUpgrade = false;
  /** True if the plugins "Update Shortened URL" and "API Action - Delete" are installed. */
  hasPlugins = false;
  /** Time between the check of a URL and the insertion. Two creates in this time may shorten the same URL. */
  insertDelayMs = 0;
  /** URLs that the server opened to read a title. */
  readonly titleLookUps: string[] = [];
  #lastCreate = Number.NEGATIVE_INFINITY;
  #nextNumber = 1;

  add(link: Parameters<FakeServer['add']>[0]): void {
    const nothing = { title: null, domain: null, expiresAt: null, clicks: 0, isForeign: false };
    this.links.push({ ...nothing, createdAt: this.now, ...link });
  }

  /** Address of the site, in front of short codes. */
  get site(): string {
    return this.baseUrl + this.basePath;
  }

  protected isCreate(request: FakeRequest): boolean {
    return readParameters(request).get('action') === 'shorturl';
  }

  protected async answer(request: FakeRequest): Promise<FakeAnswer> {
    if (this.needsUpgrade) return redirect(307, `${this.site}/admin/upgrade.php`);
    if (request.path !== `${this.basePath}/yourls-api.php`) return this.#visit(request);
    const parameters = readParameters(request);
    const format = parameters.get('format') ?? 'xml';
    const refusal = this.isPrivate ? this.#authenticate(parameters) : null;
    if (refusal) return output(format, { message: refusal, errorCode: '403', callback: '' });
    const isCreate = parameters.get('action') === 'shorturl';
    const action = isCreate ? this.#shorten(parameters) : this.#actions[parameters.get('action') ?? '']?.(parameters);
    const body = (await action) ?? UNKNOWN_ACTION;
    return body === TOO_FAST ? tooManyRequests() : output(format, this.#byVersion(body));
  }

  /** Returns the message of a refusal, or null. */
  #authenticate(parameters: URLSearchParams): string | null {
    if (parameters.get('username')) {
      const isRight = parameters.get('username') === USER && parameters.get('password') === PASSWORD;
      return isRight ? null : 'Invalid username or password';
    }
    const signature = parameters.get('signature') ?? '';
    const timestamp = parameters.get('timestamp');
    if (!timestamp) return signature === this.apiKey ? null : 'Please log in';
    if (Math.abs(this.now / 1_000 - Number(timestamp)) <= SIGNATURE_LIFETIME_SECONDS) {
      const algorithm = parameters.get('hash') ?? (this.version === '1.10.5-dev' ? 'sha256' : 'md5');
      const hashes = this.version === '1.10.5-dev' ? ['sha256', 'sha384', 'sha512'] : ['md5', 'sha256', 'sha512'];
      const expected = (text: string) => createHash(algorithm).update(text).digest('hex');
      if (!hashes.includes(algorithm)) return 'Please log in';
      if ([expected(timestamp + this.apiKey), expected(this.apiKey + timestamp)].includes(signature)) return null;
    }
    return 'Please log in';
  }

  readonly #actions: Record<string, (parameters: URLSearchParams) => object> = {
    version: (parameters) => ({
      version: this.version,
      ...(parameters.get('db') === '1' && { db_version: '507' }),
    }),
    expand: (parameters) => {
      const keyword = (parameters.get('shorturl') ?? '').replace(`${this.site}/`, '');
      const link = this.#find(keyword);
      if (!link) return { keyword, message: 'Error: short URL not found', errorCode: '404' };
      const { shortCode: code, url: longurl, title } = link;
      return { keyword: code, shorturl: this.#shortUrl(code), longurl, title, message: 'success', statusCode: '200' };
    },
    'url-stats': (parameters) => {
      const link = this.#find((parameters.get('shorturl') ?? '').replace(`${this.site}/`, ''));
      if (!link) return { statusCode: '404', message: 'Error: short URL not found' };
      return { statusCode: '200', message: 'success', link: this.#toRow(link) };
    },
    stats: (parameters) => {
      const limit = Number.parseInt(parameters.get('limit') ?? '', 10) || 0;
      const start = Number.parseInt(parameters.get('start') ?? '', 10) || 0;
      // Links of the same second are ordered by their codes.
      const second = ({ createdAt }: YourlsLink) => Math.floor(createdAt / 1_000);
      const rows = this.links
        .toSorted((a, b) => second(b) - second(a) || (a.shortCode < b.shortCode ? -1 : 1))
        .slice(start, start + limit)
        .map((link, index) => [`link_${index + 1}`, this.#toRow(link)]);
      const links = rows.length ? { links: Object.fromEntries(rows) } : {};
      return { ...links, stats: this.#totals(), statusCode: '200', message: 'success' };
    },
    update: (parameters) => {
      if (!this.hasPlugins) return UNKNOWN_ACTION;
      if (!parameters.has('shorturl') || !parameters.has('url')) return MISSING_PARAMETER;
      const link = this.#find(parameters.get('shorturl') ?? '');
      if (!link) return { statusCode: 404, status: 'fail', message: 'error: not found' };
      const url = sanitizeUrl(parameters.get('url') ?? '');
      const isTaken = this.isUnique && this.links.some((other) => other !== link && other.url === url);
      if (isTaken) return { statusCode: 500, status: 'fail', message: 'error: unknown error' };
      const title = parameters.get('title') ?? '';
      Object.assign(link, { url, title: title.toLowerCase() === 'keep' ? link.title : sanitizeTitle(title) });
      return { statusCode: 200, message: 'success: updated' };
    },
    delete: (parameters) => {
      if (!this.hasPlugins) return UNKNOWN_ACTION;
      if (!parameters.has('shorturl')) return { ...MISSING_PARAMETER, status: undefined };
      const link = this.#find(parameters.get('shorturl') ?? '');
      if (!link) return { statusCode: 404, message: 'error: not found' };
      this.links.splice(this.links.indexOf(link), 1);
      return { statusCode: 200, message: 'success: deleted' };
    },
    'db-stats': () => ({ 'db-stats': this.#totals(), statusCode: '200', message: 'success' }),
  };

  async #shorten(parameters: URLSearchParams): Promise<object> {
    const url = sanitizeUrl(parameters.get('url') ?? '');
    if (!url || url === 'http://' || url === 'https://') return fail('error:nourl', 'Missing or malformed URL');
    if (!this.isPrivate && this.now - this.#lastCreate < FLOOD_DELAY_MS) return TOO_FAST;
    if (url.startsWith(`${this.site}/`) && this.#find(url.slice(this.site.length + 1)))
      return fail('error:noloop', 'URL is a short URL');
    const existing = this.links.find((link) => link.url === url);
    if (this.isUnique && existing) return this.#urlExists(existing);
    if (!parameters.get('title')) this.titleLookUps.push(url);
    const title = sanitizeTitle(parameters.get('title') ?? '') || url;
    const sent = parameters.get('keyword') ?? '';
    // PHP treats "0" as false.
    const code = sent && sent !== '0' ? sanitizeCode(sent, this.codeBase) : this.#nextCode();
    if (isReserved(code) || this.#find(code)) {
      return fail('error:keyword', `Short URL ${code} already exists in database or is reserved`);
    }
    await sleep(this.insertDelayMs);
    const error = databaseError(code, url, this.links);
    if (error) return fail('error:concurrency', error, '503');
    this.#lastCreate = this.now;
    this.add({ shortCode: code, url, title });
    const date = toSqlTime(this.now);
    return {
      ...{
        status: 'success',
        code: '',
        message: `${trimUrl(url)} added to database`,
        errorCode: '',
        statusCode: '200',
      },
      url: { keyword: code, url, title, date, ip: '127.0.0.1' },
      title,
      shorturl: this.#shortUrl(code),
    };
  }

  #urlExists({ shortCode: code, url, title, createdAt, clicks }: YourlsLink): object {
    const shown = this.site.replace(/^https?:\/\//, '');
    const message = `${trimUrl(url)} already exists in database (short URL: ${shown}/${code})`;
    const date = toSqlTime(createdAt);
    return {
      ...fail('error:url', message),
      url: { keyword: code, url, title, date, ip: '127.0.0.1', clicks },
      title,
      shorturl: this.#shortUrl(code),
    };
  }

  /** Returns a response in the format of the configured version. */
  #byVersion(body: { errorCode?: unknown; statusCode?: unknown; code?: string }): object {
    if (this.version !== '1.9.2' || body.code !== undefined) return body;
    const { errorCode, statusCode } = body;
    return {
      ...body,
      ...(errorCode !== undefined && { errorCode: Number(errorCode) }),
      statusCode: Number(statusCode) || undefined,
    };
  }

  #visit({ path }: FakeRequest): FakeAnswer {
    const link = this.#find(decodeURIComponent(path.slice(this.basePath.length + 1)));
    if (!link) return redirect(302, this.site);
    link.clicks += 1;
    return redirect(301, link.url);
  }

  #find(code: string): YourlsLink | undefined {
    return this.links.find((link) => link.shortCode === code);
  }

  #nextCode(): string {
    let code: string;
    do code = (this.#nextNumber++).toString(36);
    while (this.#find(code));
    return code;
  }

  #shortUrl(code: string): string {
    return `${this.site}/${code}`;
  }

  #toRow({ shortCode: code, url, title, createdAt, clicks }: YourlsLink) {
    // Older versions of PHP return numbers as strings.
    const shownClicks = this.version === '1.9.2' ? String(clicks) : clicks;
    const timestamp = toSqlTime(createdAt);
    return { shorturl: this.#shortUrl(code), url, title, timestamp, ip: '127.0.0.1', clicks: shownClicks };
  }

  #totals() {
    return { total_links: this.links.length, total_clicks: this.links.reduce((sum, { clicks }) => sum + clicks, 0) };
  }
}
