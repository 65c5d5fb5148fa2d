import { plainHost } from '@terse/contract';
import * as z from 'zod';
import {
  type AccountLimits,
  isValidQuota,
  isValidThrottle,
  type KeyLimits,
  STANDARD_IMPORT_QUOTA,
  standardAccountQuota,
} from '../domain/limits/key-limits.ts';
import { URL_BYTES } from '../domain/links/validate-target.ts';
import { PROXY_HEADERS, type ProxySettings, parseTrustedProxies, type TrustedProxies } from '../http/client-address.ts';
import { type ListenAddress, parseListenAddress, STANDARD_LISTEN } from '../http/listen-address.ts';
import type { DatabaseAddress } from '../store/open-store.ts';
import { authProxyProblem } from './auth-proxy-rules.ts';
import { unknownSettings } from './misspelled-settings.ts';

export interface Config extends ProxySettings {
  listen: ListenAddress;
  shortListen: ListenAddress;
  /** Address on which the metrics server listens. Null if metrics are disabled. */
  metricsListen: ListenAddress | null;
  /** Public origin of the API. If null, the address of the API server is used. */
  baseUrl: string | null;
  /**
   * Public origins of the short URLs, starting with the default domain. If the list is empty, the service uses the
   * address of its short URL server.
   */
  shortBaseUrls: readonly string[];
  /** True if short codes are not case-sensitive. New short codes are then generated in lower case. */
  caseInsensitiveCodes: boolean;
  database: DatabaseAddress;
  /** Default rate limits of API keys. A key can have its own limits. */
  limits: KeyLimits;
  /** Daily quotas of accounts. The owner of the service has no daily quota. */
  accountLimits: AccountLimits;
  allowPrivateTargets: boolean;
  /**
   * Default for links that have no `forwardQuery` setting. If true, the visitor's query parameters are added to the
   * long URL.
   */
  forwardQuery: boolean;
  /** Maximum length of a long URL, in bytes after normalization. */
  maxUrlBytes: number;
  /**
   * Number of months for which daily click counts are kept. Older counts are merged into monthly counts. If null,
   * daily counts are kept forever.
   */
  dailyCountsMonths: number | null;
  /**
   * Lowercase name of the header in which a trusted proxy sends the name of an authenticated user. Null if users can
   * sign in only with their passwords.
   */
  authProxyHeader: string | null;
  /** Lowercase name of the header in which a trusted proxy sends the visitor's country. */
  countryHeader: string | null;
  blockedHostsFile: string | null;
  visitors: VisitorSettings;
}

/**
 * Pages and files that the operator can replace on the host of the short URLs. If a value is null, the default is
 * used.
 */
export interface VisitorSettings {
  /**
   * Redirect target for the path `/` on the host of the short URLs. If null, visitors to this path see the page for
   * unknown links.
   */
  homeUrl: string | null;
  unknownPage: PageSource | null;
  gonePage: PageSource | null;
  robotsFile: string | null;
  securityFile: string | null;
}

/** Path of an HTML file, or URL to which visitors are redirected. */
export type PageSource = { path: string } | { url: string };

const Listen = z.string().transform((text, context): ListenAddress => {
  const address = parseListenAddress(text);
  if (address) return address;
  context.addIssue('must be HOST:PORT, such as 127.0.0.1:8787 or [::1]:8787');
  return z.NEVER;
});

const Origin = z
  .string()
  .transform((text, context): string => {
    const url = URL.parse(text);
    const web = url?.protocol === 'http:' || url?.protocol === 'https:';
    if (url && web && `${url.origin}/` === url.href) return url.origin;
    context.addIssue('must be an origin without a path, such as https://links.example.com');
    return z.NEVER;
  })
  .optional();

const Origins = z
  .string()
  .transform((text, context): string[] => {
    const origins = text.split(',').map((part) => Origin.safeParse(part.trim()).data);
    const hosts = new Set(origins.map((origin) => origin && new URL(origin).host));
    if (!hosts.has(undefined) && hosts.size === origins.length) return origins as string[];
    context.addIssue(
      'must be different origins without a path, separated by commas, such as https://sho.rt,https://go.example.com',
    );
    return z.NEVER;
  })
  .optional();

/** Parses an http or https URL. Returns null if the URL is invalid or contains a user name or password. */
function parseWebUrl(text: string): string | null {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return url && isWeb && url.username === '' && url.password === '' ? url.href : null;
}

const WebAddress = z.string().transform((text, context): string => {
  const url = parseWebUrl(text);
  if (url !== null) return url;
  context.addIssue('must be an http or https URL, such as https://www.example.com/');
  return z.NEVER;
});

const Page = z.string().transform((text, context): PageSource => {
  const [, path] = /^file:(.+)$/.exec(text) ?? [];
  if (path) return { path };
  const url = parseWebUrl(text);
  if (url !== null) return { url };
  context.addIssue('must be file:PATH, such as file:/etc/terse/unknown.html, or an http or https URL');
  return z.NEVER;
});

type Location = { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string };

const Database = z
  .string()
  .default('file:./data/terse.db')
  .transform((text, context): Location => {
    const [, path] = /^file:(.+)$/.exec(text) ?? [];
    // Rejects `:memory:`, because SQLite would store the data only in memory.
    if (path && path !== ':memory:') return { engine: 'sqlite', path };
    const isPostgres = /^postgres(ql)?:\/\/./.test(text);
    if (isPostgres && isDatabaseUrl(text)) return { engine: 'postgres', url: text };
    context.addIssue(
      isPostgres
        ? 'must be a valid URL. Percent-encode special characters in the user name and password: / as %2F, ? as %3F, # as %23, @ as %40 and % as %25'
        : 'must be file:PATH, such as file:./data/terse.db, or postgres://USER:PASSWORD@HOST/DATABASE',
    );
    return z.NEVER;
  });

/**
 * True if the PostgreSQL driver can parse the URL. The host can be missing if the URL names the folder of a socket.
 *
 * A URL such as `postgres://terse:12#34@db.example/terse` is valid, but its host is `terse`. Such passwords are refused.
 */
function isDatabaseUrl(text: string): boolean {
  if (/[/?#].*@|#/.test(text.replace(/^\w+:\/\//, ''))) return false;
  try {
    const { username, password } = new URL(text.replace(/@\/(?=[^@]*$)/, '@host/'));
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

const Proxies = z
  .string()
  .default('')
  .transform((text, context): TrustedProxies => {
    const networks = parseTrustedProxies(text);
    if (networks) return networks;
    context.addIssue('must be IP addresses or networks, such as 10.0.0.0/8, separated by commas');
    return z.NEVER;
  });

export const QuotaText = z
  .string()
  .refine(isValidQuota, 'must be a whole number from 1 to 999999999')
  .transform(Number);
export const ThrottleText = z
  .string()
  .refine(isValidThrottle, 'must be a number of requests per second from 0.001 to 100000')
  .transform(Number);

function headerName(example: string) {
  const message = `must be the name of a header, such as ${example}`;
  return z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, message)
    .toLowerCase()
    .optional();
}

const Flag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true');

const Environment = z
  .object({
    TERSE_LISTEN: Listen.prefault(STANDARD_LISTEN),
    TERSE_SHORT_LISTEN: Listen.prefault('127.0.0.1:8788'),
    TERSE_METRICS_LISTEN: Listen.optional(),
    TERSE_BASE_URL: Origin,
    TERSE_SHORT_BASE_URL: Origin,
    TERSE_SHORT_BASE_URLS: Origins,
    TERSE_DATABASE: Database,
    TERSE_DATABASE_CONNECTIONS: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999')
      .transform(Number)
      .prefault('10'),
    TERSE_DAILY_QUOTA: QuotaText.prefault('20'),
    TERSE_THROTTLE: ThrottleText.prefault('1'),
    TERSE_ACCOUNT_QUOTA: QuotaText.optional(),
    TERSE_IMPORT_QUOTA: QuotaText.prefault(String(STANDARD_IMPORT_QUOTA)),
    TERSE_CASE_INSENSITIVE_CODES: Flag,
    TERSE_ALLOW_PRIVATE_TARGETS: Flag,
    TERSE_FORWARD_QUERY: Flag,
    TERSE_MAX_URL_BYTES: z
      .string()
      .refine(
        (text) => /^\d{4,5}$/.test(text) && Number(text) >= URL_BYTES.min && Number(text) <= URL_BYTES.max,
        `must be a whole number from ${URL_BYTES.min} to ${URL_BYTES.max}`,
      )
      .transform(Number)
      .prefault(String(URL_BYTES.standard)),
    TERSE_BLOCKED_HOSTS_FILE: z.string().optional(),
    TERSE_HOME_URL: WebAddress.optional(),
    TERSE_UNKNOWN_PAGE: Page.optional(),
    TERSE_GONE_PAGE: Page.optional(),
    TERSE_ROBOTS_FILE: z.string().optional(),
    TERSE_SECURITY_FILE: z.string().optional(),
    TERSE_DAILY_COUNTS_MONTHS: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'must be a whole number of months from 1 to 9999')
      .transform(Number)
      .optional(),
    TERSE_TRUSTED_PROXIES: Proxies,
    TERSE_PROXY_HEADER: z
      .string()
      .toLowerCase()
      .pipe(z.enum(PROXY_HEADERS, 'must be x-forwarded-for or forwarded'))
      .prefault('x-forwarded-for'),
    TERSE_COUNTRY_HEADER: headerName('CF-IPCountry'),
    TERSE_AUTH_PROXY_HEADER: headerName('Remote-User'),
  })
  .superRefine((settings, context) => {
    const settingByAddress = new Map<string, string>();
    for (const name of ['TERSE_LISTEN', 'TERSE_SHORT_LISTEN', 'TERSE_METRICS_LISTEN'] as const) {
      const { host, port } = settings[name] ?? { host: '', port: 0 };
      const other = port === 0 ? undefined : settingByAddress.get(`${host} ${port}`);
      if (other) context.addIssue({ code: 'custom', path: [name], message: `must differ from ${other}` });
      settingByAddress.set(`${host} ${port}`, name);
    }
    const { TERSE_AUTH_PROXY_HEADER: header, TERSE_COUNTRY_HEADER: countryHeader } = settings;
    const message = header && authProxyProblem(header, { countryHeader, proxies: settings.TERSE_TRUSTED_PROXIES });
    if (message) context.addIssue({ code: 'custom', path: ['TERSE_AUTH_PROXY_HEADER'], message });
    const { TERSE_BASE_URL: base, TERSE_SHORT_BASE_URL: short, TERSE_SHORT_BASE_URLS: listed } = settings;
    const shortSetting = listed ? 'TERSE_SHORT_BASE_URLS' : 'TERSE_SHORT_BASE_URL';
    const shortOrigins = shortBaseUrlsOf(settings);
    if (short !== undefined && listed && listed.join() !== short) {
      const message = 'must not be set together with TERSE_SHORT_BASE_URL, because their values differ';
      context.addIssue({ code: 'custom', path: ['TERSE_SHORT_BASE_URLS'], message });
    }
    if (base !== undefined && shortOrigins.includes(base)) {
      const message = listed ? 'must not contain TERSE_BASE_URL' : 'must differ from TERSE_BASE_URL';
      context.addIssue({ code: 'custom', path: [shortSetting], message });
    }
    const redirects: [string, string | undefined][] = [['TERSE_HOME_URL', settings.TERSE_HOME_URL]];
    for (const name of ['TERSE_UNKNOWN_PAGE', 'TERSE_GONE_PAGE'] as const) {
      const page = settings[name];
      redirects.push([name, page && 'url' in page ? page.url : undefined]);
    }
    const shortHosts = shortOrigins.map(hostAndPort);
    for (const [name, url] of redirects) {
      if (url === undefined || !shortHosts.includes(hostAndPort(url))) continue;
      const message = `must not be a URL of ${shortSetting}, because it could redirect in circles`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });

/** Returns the host of a URL, with the port if it is not the default port of the scheme. */
function hostAndPort(text: string): string {
  const url = new URL(text);
  return `${plainHost(url)}:${url.port}`;
}

function shortBaseUrlsOf(settings: {
  TERSE_SHORT_BASE_URL?: string | undefined;
  TERSE_SHORT_BASE_URLS?: string[] | undefined;
}): string[] {
  return settings.TERSE_SHORT_BASE_URLS ?? (settings.TERSE_SHORT_BASE_URL ? [settings.TERSE_SHORT_BASE_URL] : []);
}

export const SETTINGS: readonly string[] = Object.keys(Environment.shape);

/** Thrown if environment variables are invalid. `problems` contains one message per mistake. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join(' '));
    this.problems = problems;
  }
}

/**
 * Parses a database address such as `file:./data/terse.db`.
 *
 * @param name name of the setting or argument, for error messages
 * @throws ConfigError if the address is invalid; the message omits the address, because it may contain a password
 */
export function readDatabaseAddress(text: string, name: string): DatabaseAddress {
  const { data, error } = Database.safeParse(text);
  if (!data) throw new ConfigError([`${name} ${error?.issues[0]?.message}.`]);
  return addressOf(data, COMMAND_CONNECTIONS);
}

/** Maximum number of PostgreSQL connections that a command opens. The running service may open more. */
const COMMAND_CONNECTIONS = 4;

/**
 * Reads the settings from environment variables. Empty variables count as unset.
 *
 * @throws ConfigError with a message for each mistake
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const variables = Object.fromEntries(entries);
  const { data, error } = Environment.safeParse(variables);
  const mistakes = error?.issues.map(({ path, message }) => `${path.join('.')} ${message}.`) ?? [];
  mistakes.push(...unknownSettings(variables, SETTINGS));
  if (!data || mistakes.length > 0) throw new ConfigError(mistakes);
  return {
    listen: data.TERSE_LISTEN,
    shortListen: data.TERSE_SHORT_LISTEN,
    metricsListen: data.TERSE_METRICS_LISTEN ?? null,
    baseUrl: data.TERSE_BASE_URL ?? null,
    shortBaseUrls: shortBaseUrlsOf(data),
    caseInsensitiveCodes: data.TERSE_CASE_INSENSITIVE_CODES,
    database: addressOf(data.TERSE_DATABASE, data.TERSE_DATABASE_CONNECTIONS),
    limits: { throttle: data.TERSE_THROTTLE, quota: data.TERSE_DAILY_QUOTA },
    accountLimits: {
      quota: data.TERSE_ACCOUNT_QUOTA ?? standardAccountQuota(data.TERSE_DAILY_QUOTA),
      importQuota: data.TERSE_IMPORT_QUOTA,
    },
    allowPrivateTargets: data.TERSE_ALLOW_PRIVATE_TARGETS,
    forwardQuery: data.TERSE_FORWARD_QUERY,
    maxUrlBytes: data.TERSE_MAX_URL_BYTES,
    dailyCountsMonths: data.TERSE_DAILY_COUNTS_MONTHS ?? null,
    trustedProxies: data.TERSE_TRUSTED_PROXIES,
    proxyHeader: data.TERSE_PROXY_HEADER,
    authProxyHeader: data.TERSE_AUTH_PROXY_HEADER ?? null,
    countryHeader: data.TERSE_COUNTRY_HEADER ?? null,
    blockedHostsFile: data.TERSE_BLOCKED_HOSTS_FILE ?? null,
    visitors: {
      homeUrl: data.TERSE_HOME_URL ?? null,
      unknownPage: data.TERSE_UNKNOWN_PAGE ?? null,
      gonePage: data.TERSE_GONE_PAGE ?? null,
      robotsFile: data.TERSE_ROBOTS_FILE ?? null,
      securityFile: data.TERSE_SECURITY_FILE ?? null,
    },
  };
}

function addressOf(location: Location, connections: number): DatabaseAddress {
  return location.engine === 'sqlite' ? location : { ...location, connections };
}
