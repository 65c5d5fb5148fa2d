import * as z from 'zod';
import { isValidQuota, isValidThrottle, MAX_KEYS } from '../domain/limits/key-limits.ts';
import { URL_BYTES } from '../domain/links/link-rules.ts';
import { parseTrustedProxies } from '../http/client-address.ts';
import { localOrigin, parseListenAddress, STANDARD_LISTEN } from '../http/listen-address.ts';
import type { DatabaseAddress } from '../store/open-store.ts';

/**
 * Returns a schema for a text with a certain format.
 *
 * @param problem error message after the name of the setting
 * @param parse returns null if the text is invalid
 */
function parsed<Value>(problem: string, parse: (text: string) => Value | null) {
  return z.string().transform((text, context): Value => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue(problem);
    return z.NEVER;
  });
}

const Listen = parsed('must be HOST:PORT, such as 127.0.0.1:8787 or [::1]:8787', parseListenAddress);

function parseOrigin(text: string): string | null {
  const url = URL.parse(text.trim());
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return url && isWeb && `${url.origin}/` === url.href ? url.origin : null;
}

const Origin = parsed('must be an origin without a path, such as https://links.example.com', parseOrigin);

const Origins = parsed(
  'must be different origins without a path, separated by commas, such as https://sho.rt,https://go.example.com',
  (text) => {
    const origins = text.split(',').map(parseOrigin);
    const hosts = new Set(origins.map((origin) => origin && new URL(origin).host));
    return origins.every((origin) => origin !== null) && hosts.size === origins.length ? origins : null;
  },
);

const WebAddress = parsed('must be an http or https URL, such as https://www.example.com/', (text) => {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return url && isWeb && url.username === '' && url.password === '' ? url.href : null;
});

type Location = { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string };

const POSTGRES = /^postgres(ql)?:\/\/./;

const Database = z
  .string()
  .refine((text) => !POSTGRES.test(text) || isDatabaseUrl(text), {
    error:
      'must be a valid URL. Percent-encode special characters in its parts: / as %2F, ? as %3F, # as %23, @ as %40 and % as %25',
    abort: true,
  })
  .pipe(
    parsed(
      'must be file:PATH, such as file:./data/terse.db, or postgres://USER:PASSWORD@HOST/DATABASE',
      (text): Location | null => {
        if (POSTGRES.test(text)) return { engine: 'postgres', url: text };
        const [, path] = /^file:(.+)$/.exec(text) ?? [];
        // Rejects `:memory:`, because SQLite would store the data only in memory.
        return path && path !== ':memory:' ? { engine: 'sqlite', path } : null;
      },
    ),
  );

/**
 * True if the PostgreSQL driver can parse the URL. The host can be missing if the URL names the folder of a socket.
 *
 * A URL such as `postgres://terse:12#34@db.example/terse` is valid, but its host is `terse`. Such passwords are refused.
 */
function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text.replace(/^(\w+:\/\/[^/?#]*@)\//, '$1host/'));
  return url !== null && !/[@#]/.test(url.pathname + url.search + url.hash);
}

/** Maximum number of PostgreSQL connections that a command opens. The running service may open more. */
const COMMAND_CONNECTIONS = 4;

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

function addressOf(location: Location, connections: number): DatabaseAddress {
  return location.engine === 'sqlite' ? location : { ...location, connections };
}

export const QuotaText = z
  .string()
  .refine(isValidQuota, 'must be a whole number from 1 to 999999999')
  .transform(Number);
export const ThrottleText = z
  .string()
  .refine(isValidThrottle, 'must be a number of requests per second from 0.001 to 100000')
  .transform(Number);

/** Returns a schema for a whole number from `min` to `max`. */
function wholeNumber(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^[1-9]\d{0,5}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);
}

function headerName(example: string) {
  return z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, `must be the name of a header, such as ${example}`)
    .toLowerCase();
}

/** Headers that clients send for other purposes. They cannot contain the name of the signed-in user. */
const CLIENT_HEADERS = ['authorization', 'cookie', 'forwarded', 'host', 'user-agent', 'x-api-key', 'x-forwarded-for'];

/** Minimum prefix length of trusted networks that may name the signed-in user. Larger networks span the Internet. */
const MIN_AUTH_PROXY_PREFIX = 7;

const Flag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true')
  .prefault('false');

/** All settings. Their names are the names of the environment variables. */
const Environment = z.object({
  TERSE_LISTEN: Listen.prefault(STANDARD_LISTEN),
  TERSE_SHORT_LISTEN: Listen.prefault('127.0.0.1:8788'),
  TERSE_METRICS_LISTEN: Listen.optional(),
  TERSE_BASE_URL: Origin.optional(),
  TERSE_SHORT_BASE_URL: Origins.optional(),
  TERSE_DATABASE: Database.prefault('file:./data/terse.db'),
  TERSE_DATABASE_CONNECTIONS: wholeNumber(1, 999).prefault('10'),
  TERSE_DAILY_QUOTA: QuotaText.prefault('20'),
  TERSE_THROTTLE: ThrottleText.prefault('1'),
  TERSE_ACCOUNT_QUOTA: QuotaText.optional(),
  TERSE_IMPORT_QUOTA: QuotaText.prefault('10000'),
  TERSE_CASE_INSENSITIVE_CODES: Flag,
  TERSE_ALLOW_PRIVATE_TARGETS: Flag,
  TERSE_FORWARD_QUERY: Flag,
  TERSE_MAX_URL_BYTES: wholeNumber(URL_BYTES.min, URL_BYTES.max).prefault(String(URL_BYTES.standard)),
  TERSE_BLOCKED_HOSTS_FILE: z.string().optional(),
  TERSE_HOME_URL: WebAddress.optional(),
  TERSE_TRUSTED_PROXIES: parsed(
    'must be IP addresses or networks, such as 10.0.0.0/8, separated by commas',
    parseTrustedProxies,
  ).prefault(''),
  TERSE_COUNTRY_HEADER: headerName('CF-IPCountry').optional(),
  TERSE_AUTH_PROXY_HEADER: headerName('Remote-User').optional(),
});

type Settings = z.infer<typeof Environment>;

export const SETTINGS: readonly string[] = Object.keys(Environment.shape);

/** Returns messages about settings that contradict each other, by the name of the setting. */
function contradictions(settings: Settings): [name: keyof Settings, message: string][] {
  const found: [keyof Settings, string][] = [];
  const { TERSE_AUTH_PROXY_HEADER: authHeader, TERSE_COUNTRY_HEADER: countryHeader } = settings;
  const prefix = settings.TERSE_TRUSTED_PROXIES.shortestPrefix;
  if (authHeader !== undefined) {
    const reject = (problem: string) => found.push(['TERSE_AUTH_PROXY_HEADER', problem]);
    if (CLIENT_HEADERS.includes(authHeader) || authHeader === countryHeader) {
      reject('must be a header that has no other purpose, such as Remote-User');
    } else if (prefix === null) {
      reject('needs TERSE_TRUSTED_PROXIES, because only a trusted proxy may name the user');
    } else if (prefix < MIN_AUTH_PROXY_PREFIX) {
      reject('needs narrower networks in TERSE_TRUSTED_PROXIES, because each client in them may name the user');
    }
  }

  const baseUrl = settings.TERSE_BASE_URL ?? localOrigin(settings.TERSE_LISTEN);
  if (settings.TERSE_SHORT_BASE_URL?.includes(baseUrl)) {
    found.push(['TERSE_SHORT_BASE_URL', 'must not contain the address of the API and the dashboard']);
  }
  return found;
}

/** Thrown if environment variables are invalid. `problems` contains one message per mistake. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join(' '));
    this.problems = problems;
  }
}

/** Variables of other programs in this repository. Developers may set these variables in the same shell. */
const OTHER_PROGRAMS = ['CHROMIUM', 'FIREFOX', 'POSTGRES_BIN', 'PROPERTY_RUNS', 'SEED'].map((name) => `TERSE_${name}`);

/** Variables that Kubernetes and Docker set automatically for a service named `terse`. */
const INJECTED = /^TERSE_(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP)(_(ADDR|PORT|PROTO))?)$/;

/**
 * Returns the names of variables that look like settings but are none. They must be reported, because a misspelled
 * setting could be an intended restriction.
 */
function unknownSettings(variables: Record<string, string>): string[] {
  const isForeign = (name: string, value: string) =>
    OTHER_PROGRAMS.includes(name) || INJECTED.test(name) || (name.endsWith('_PORT') && /^(tcp|udp):/.test(value));
  return Object.entries(variables)
    .filter(([name, value]) => /^terse_/i.test(name) && !SETTINGS.includes(name) && !isForeign(name, value))
    .map(([name]) => name);
}

export type Config = ReturnType<typeof readConfig>;

/**
 * Reads the settings from environment variables. Empty variables count as unset.
 *
 * @throws ConfigError with a message for each mistake
 */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const variables = Object.fromEntries(given);
  const { data, error } = Environment.safeParse(variables);
  const mistakes = [
    ...(error?.issues.map(({ path, message }) => `${path.join('.')} ${message}.`) ?? []),
    ...(data ? contradictions(data).map(([name, message]) => `${name} ${message}.`) : []),
    ...unknownSettings(variables).map((name) => `${name} is not a setting. The option --help lists all settings.`),
  ];
  if (!data || mistakes.length > 0) throw new ConfigError(mistakes);
  return {
    listen: data.TERSE_LISTEN,
    shortListen: data.TERSE_SHORT_LISTEN,
    /** Null if metrics are disabled. */
    metricsListen: data.TERSE_METRICS_LISTEN ?? null,
    /** Public origin of the API. If null, the address of the API server is used. */
    baseUrl: data.TERSE_BASE_URL ?? null,
    /** Public origins of the short URLs, the default domain first. If empty, the address of their server is used. */
    shortBaseUrls: data.TERSE_SHORT_BASE_URL ?? [],
    /** True if short codes are not case-sensitive. New short codes are then generated in lower case. */
    foldsCase: data.TERSE_CASE_INSENSITIVE_CODES,
    database: addressOf(data.TERSE_DATABASE, data.TERSE_DATABASE_CONNECTIONS),
    /** Default rate limits of API keys. A key can have its own limits. */
    limits: { throttle: data.TERSE_THROTTLE, quota: data.TERSE_DAILY_QUOTA },
    /** Daily quotas of accounts. The owner of the service has no daily quota. */
    accountLimits: {
      // By default, enough for all API keys of the account to use their full quota.
      links: data.TERSE_ACCOUNT_QUOTA ?? MAX_KEYS * data.TERSE_DAILY_QUOTA,
      rows: data.TERSE_IMPORT_QUOTA,
    },
    allowPrivateTargets: data.TERSE_ALLOW_PRIVATE_TARGETS,
    /** Default for links without this setting. If true, visitors' query parameters are added to the long URL. */
    forwardQuery: data.TERSE_FORWARD_QUERY,
    /** Maximum length of a long URL, in bytes after normalization. */
    maxUrlBytes: data.TERSE_MAX_URL_BYTES,
    trustedProxies: data.TERSE_TRUSTED_PROXIES,
    /** Lowercase name of the header in which a trusted proxy names the authenticated user. Null if there is none. */
    authProxyHeader: data.TERSE_AUTH_PROXY_HEADER ?? null,
    /** Lowercase name of the header in which a trusted proxy sends the visitor's country. */
    countryHeader: data.TERSE_COUNTRY_HEADER ?? null,
    blockedHostsFile: data.TERSE_BLOCKED_HOSTS_FILE ?? null,
    /** Redirect target for the path `/` of the short host. If null, visitors see the page for unknown links. */
    homeUrl: data.TERSE_HOME_URL ?? null,
  };
}
