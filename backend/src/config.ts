import * as z from 'zod';
import type { KeyLimits } from './domain/limits.ts';
import type { DatabaseAddress } from './store/open.ts';

export interface ListenAddress {
  host: string;
  /** 0 lets the system choose a free one. */
  port: number;
}

export interface Config {
  listen: ListenAddress;
  shortListen: ListenAddress;
  /** Origins the public sees; null where they follow from the listeners' addresses. */
  baseUrl: string | null;
  shortBaseUrl: string | null;
  database: DatabaseAddress;
  /** What a key may send unless it has limits of its own. */
  limits: KeyLimits;
  allowPrivateTargets: boolean;
}

const ListenAddress = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((text, context): ListenAddress => {
      const [, ipv6, host, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
      const name = ipv6 ?? host;
      if (name && Number(port) <= 65_535) return { host: name, port: Number(port) };
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

const Database = z
  .string()
  .default('file:./data/terse.db')
  .transform((text, context): DatabaseAddress => {
    const [, path] = /^file:(.+)$/.exec(text) ?? [];
    if (path) return { engine: 'sqlite', path };
    context.addIssue('must be file:PATH, such as file:./data/terse.db');
    return z.NEVER;
  });

/** Limits as the environment and the command line give them: text. */
export const QuotaText = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1 to 999999999')
  .transform(Number);
export const ThrottleText = z
  .string()
  .refine(
    (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) >= 0.001 && Number(text) <= 100_000,
    'must be a number of requests a second from 0.001 to 100000',
  )
  .transform(Number);

const Environment = z
  .object({
    TERSE_LISTEN: ListenAddress('127.0.0.1:8787'),
    TERSE_SHORT_LISTEN: ListenAddress('127.0.0.1:8788'),
    TERSE_BASE_URL: Origin,
    TERSE_SHORT_BASE_URL: Origin,
    TERSE_DATABASE: Database,
    TERSE_DAILY_QUOTA: QuotaText.prefault('20'),
    TERSE_THROTTLE: ThrottleText.prefault('1'),
    TERSE_ALLOW_PRIVATE_TARGETS: z.enum(['true', 'false'], 'must be true or false').default('false'),
  })
  .superRefine((settings, context) => {
    const { TERSE_LISTEN: one, TERSE_SHORT_LISTEN: other } = settings;
    if (one.port !== 0 && one.port === other.port && one.host === other.host) {
      context.addIssue({
        code: 'custom',
        path: ['TERSE_SHORT_LISTEN'],
        message: 'must not be the same address as TERSE_LISTEN',
      });
    }
  });

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
 * Reads the configuration from environment variables; an empty one counts as absent.
 *
 * @throws ConfigError naming all mistakes at once
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { data, error } = Environment.safeParse(given);
  if (error) throw new ConfigError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`));
  return {
    listen: data.TERSE_LISTEN,
    shortListen: data.TERSE_SHORT_LISTEN,
    baseUrl: data.TERSE_BASE_URL ?? null,
    shortBaseUrl: data.TERSE_SHORT_BASE_URL ?? null,
    database: data.TERSE_DATABASE,
    limits: { throttle: data.TERSE_THROTTLE, quota: data.TERSE_DAILY_QUOTA },
    allowPrivateTargets: data.TERSE_ALLOW_PRIVATE_TARGETS === 'true',
  };
}
