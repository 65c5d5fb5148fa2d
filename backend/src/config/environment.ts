import * as z from 'zod';
import { type AccountLimits, STANDARD_IMPORT_QUOTA, standardAccountQuota } from '../domain/limits/account-quotas.ts';
import { isValidQuota, isValidThrottle, type KeyLimits } from '../domain/limits/key-limits.ts';
import { PROXY_HEADERS, type ProxySettings, parseTrustedProxies, type TrustedProxies } from '../http/client-address.ts';
import { type ListenAddress, parseListenAddress, STANDARD_LISTEN } from '../http/listen-address.ts';
import type { DatabaseAddress } from '../store/open-store.ts';
import { unknownSettings } from './misspelled-settings.ts';

export interface Config extends ProxySettings {
  listen: ListenAddress;
  shortListen: ListenAddress;
  /** Where metrics are served; null where they are not. */
  metricsListen: ListenAddress | null;
  /** Origins the public sees; null where they follow from the listeners' addresses. */
  baseUrl: string | null;
  shortBaseUrl: string | null;
  database: DatabaseAddress;
  /** How many links a process keeps in memory. */
  cachedLinks: number;
  /** What a key may send unless it has limits of its own. */
  limits: KeyLimits;
  /** What accounts other than the owner's may do in a day. */
  accountLimits: AccountLimits;
  allowPrivateTargets: boolean;
  /** Where clicks wait to be counted; null where that follows from the database. */
  journalDirectory: string | null;
  /** Full months for which counts are kept by the day; older ones are kept by the month. Null where all are for ever. */
  dailyCountsMonths: number | null;
  /** A header in which a trusted proxy says the visitor's country, in small letters. */
  countryHeader: string | null;
  /** The operator's list of hosts that links must not lead to. */
  blockedHostsFile: string | null;
  visitors: VisitorSettings;
}

/** What visitors of the short host meet where no link leads them on; null where the service's own is good enough. */
export interface VisitorSettings {
  /** Where the bare short host leads. */
  homeUrl: string | null;
  unknownPage: PageSource | null;
  gonePage: PageSource | null;
  /** Paths of files. */
  robotsFile: string | null;
  securityFile: string | null;
}

/** A file with a page, or where to lead instead. */
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
    context.addIssue('must be an address without a path, such as https://links.example.com');
    return z.NEVER;
  })
  .optional();

/** The address of a page elsewhere, as the parser writes it. */
function webAddress(text: string): string | null {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return url && isWeb && url.username === '' && url.password === '' ? url.href : null;
}

const WebAddress = z.string().transform((text, context): string => {
  const url = webAddress(text);
  if (url !== null) return url;
  context.addIssue('must be an http or https address, such as https://www.example.com/');
  return z.NEVER;
});

const Page = z.string().transform((text, context): PageSource => {
  const [, path] = /^file:(.+)$/.exec(text) ?? [];
  if (path) return { path };
  const url = webAddress(text);
  if (url !== null) return { url };
  context.addIssue('must be file:PATH, such as file:/etc/terse/unknown.html, or an http or https address');
  return z.NEVER;
});

type Location = { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string };

const Database = z
  .string()
  .default('file:./data/terse.db')
  .transform((text, context): Location => {
    const [, path] = /^file:(.+)$/.exec(text) ?? [];
    if (path) return { engine: 'sqlite', path };
    if (/^postgres(ql)?:\/\/./.test(text)) return { engine: 'postgres', url: text };
    context.addIssue('must be file:PATH, such as file:./data/terse.db, or postgres://USER:PASSWORD@HOST/DATABASE');
    return z.NEVER;
  });

const Proxies = z
  .string()
  .default('')
  .transform((text, context): TrustedProxies => {
    const networks = parseTrustedProxies(text);
    if (networks) return networks;
    context.addIssue('must be IP addresses or networks, such as 10.0.0.0/8, separated by commas');
    return z.NEVER;
  });

/** Limits as the environment and the command line give them: text. */
export const QuotaText = z
  .string()
  .refine(isValidQuota, 'must be a whole number from 1 to 999999999')
  .transform(Number);
export const ThrottleText = z
  .string()
  .refine(isValidThrottle, 'must be a number of requests a second from 0.001 to 100000')
  .transform(Number);

/** A Map of JavaScript holds some 16 million entries. */
const MOST_CACHED_LINKS = 10_000_000;

const Environment = z
  .object({
    TERSE_LISTEN: Listen.prefault(STANDARD_LISTEN),
    TERSE_SHORT_LISTEN: Listen.prefault('127.0.0.1:8788'),
    TERSE_METRICS_LISTEN: Listen.optional(),
    TERSE_BASE_URL: Origin,
    TERSE_SHORT_BASE_URL: Origin,
    TERSE_DATABASE: Database,
    TERSE_DATABASE_CONNECTIONS: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999')
      .transform(Number)
      .prefault('10'),
    TERSE_CACHED_LINKS: z
      .string()
      .refine(
        (text) => /^\d{1,8}$/.test(text) && Number(text) <= MOST_CACHED_LINKS,
        'must be a whole number up to 10000000',
      )
      .transform(Number)
      .prefault('10000'),
    TERSE_DAILY_QUOTA: QuotaText.prefault('20'),
    TERSE_THROTTLE: ThrottleText.prefault('1'),
    TERSE_ACCOUNT_QUOTA: QuotaText.optional(),
    TERSE_IMPORT_QUOTA: QuotaText.prefault(String(STANDARD_IMPORT_QUOTA)),
    TERSE_ALLOW_PRIVATE_TARGETS: z.enum(['true', 'false'], 'must be true or false').default('false'),
    TERSE_BLOCKED_HOSTS_FILE: z.string().optional(),
    TERSE_HOME_URL: WebAddress.optional(),
    TERSE_UNKNOWN_PAGE: Page.optional(),
    TERSE_GONE_PAGE: Page.optional(),
    TERSE_ROBOTS_FILE: z.string().optional(),
    TERSE_SECURITY_FILE: z.string().optional(),
    TERSE_JOURNAL_DIR: z.string().optional(),
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
    TERSE_COUNTRY_HEADER: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header, such as CF-IPCountry')
      .toLowerCase()
      .optional(),
  })
  .superRefine((settings, context) => {
    const taken = new Map<string, string>();
    for (const name of ['TERSE_LISTEN', 'TERSE_SHORT_LISTEN', 'TERSE_METRICS_LISTEN'] as const) {
      const { host, port } = settings[name] ?? { host: '', port: 0 };
      const other = port === 0 ? undefined : taken.get(`${host} ${port}`);
      if (other)
        context.addIssue({ code: 'custom', path: [name], message: `must not be the same address as ${other}` });
      taken.set(`${host} ${port}`, name);
    }
    const { TERSE_BASE_URL: base, TERSE_SHORT_BASE_URL: short } = settings;
    if (short !== undefined && short === base) {
      const message = 'must not be the same address as TERSE_BASE_URL';
      context.addIssue({ code: 'custom', path: ['TERSE_SHORT_BASE_URL'], message });
    }
    const leads: [string, string | undefined][] = [['TERSE_HOME_URL', settings.TERSE_HOME_URL]];
    for (const name of ['TERSE_UNKNOWN_PAGE', 'TERSE_GONE_PAGE'] as const) {
      const page = settings[name];
      leads.push([name, page && 'url' in page ? page.url : undefined]);
    }
    for (const [name, url] of leads) {
      if (url === undefined || new URL(url).origin !== short) continue;
      const message = 'must not be an address of TERSE_SHORT_BASE_URL: it could lead in circles';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(Environment.shape);

/** The environment holds mistakes; `sentences` names every one of them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly sentences: string[];

  constructor(sentences: string[]) {
    super(sentences.join(' '));
    this.sentences = sentences;
  }
}

/**
 * Reads the address of a database, as `TERSE_DATABASE` has it.
 *
 * @throws ConfigError which does not repeat it, since it may hold a password
 */
export function readDatabaseAddress(text: string, name: string): DatabaseAddress {
  const { data, error } = Database.safeParse(text);
  if (!data) throw new ConfigError([`${name} ${error?.issues[0]?.message}.`]);
  return addressOf(data, COMMAND_CONNECTIONS);
}

/** Connections that a command may hold to PostgreSQL. */
const COMMAND_CONNECTIONS = 4;

/**
 * Reads the configuration from environment variables; an empty one counts as absent.
 *
 * @throws ConfigError naming all mistakes at once
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const given = Object.fromEntries(entries);
  const { data, error } = Environment.safeParse(given);
  const mistakes = error?.issues.map(({ path, message }) => `${path.join('.')} ${message}.`) ?? [];
  mistakes.push(...unknownSettings(given, SETTINGS));
  if (!data || mistakes.length > 0) throw new ConfigError(mistakes);
  return {
    listen: data.TERSE_LISTEN,
    shortListen: data.TERSE_SHORT_LISTEN,
    metricsListen: data.TERSE_METRICS_LISTEN ?? null,
    baseUrl: data.TERSE_BASE_URL ?? null,
    shortBaseUrl: data.TERSE_SHORT_BASE_URL ?? null,
    database: addressOf(data.TERSE_DATABASE, data.TERSE_DATABASE_CONNECTIONS),
    cachedLinks: data.TERSE_CACHED_LINKS,
    limits: { throttle: data.TERSE_THROTTLE, quota: data.TERSE_DAILY_QUOTA },
    accountLimits: {
      quota: data.TERSE_ACCOUNT_QUOTA ?? standardAccountQuota(data.TERSE_DAILY_QUOTA),
      importQuota: data.TERSE_IMPORT_QUOTA,
    },
    allowPrivateTargets: data.TERSE_ALLOW_PRIVATE_TARGETS === 'true',
    journalDirectory: data.TERSE_JOURNAL_DIR ?? null,
    dailyCountsMonths: data.TERSE_DAILY_COUNTS_MONTHS ?? null,
    trustedProxies: data.TERSE_TRUSTED_PROXIES,
    proxyHeader: data.TERSE_PROXY_HEADER,
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
