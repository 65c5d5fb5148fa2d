/** Reason why Kutt refuses a request. Kutt answers many refusals with status 500. */
export class KuttProblem extends Error {
  readonly status: number;

  constructor(message: string, status = 500) {
    super(message);
    this.status = status;
  }
}

/** Fields of a create or an edit, after validation. Absent fields were not sent, or were empty. */
export interface KuttFields {
  target?: string;
  address?: string;
  description?: string;
  /** Time in milliseconds. */
  expiresAt?: number;
  password?: string;
}

/** Paths of Kutt's own pages, which no link may have. Only some of them are listed here. */
const RESERVED = ['login', 'logout', '404', 'settings', 'admin', 'stats', 'signup', 'report', 'link', 'api', 'static'];

/** Unit of a duration to milliseconds. Kutt also knows longer names, such as `days`. */
const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** @param codeField name of the field with the code, and the end of the message if it is invalid */
export function readFields(
  body: Record<string, unknown>,
  codeField: 'customurl' | 'address',
  { defaultDomain, now }: { defaultDomain: string; now: number },
): KuttFields {
  const target = text(body.target);
  const address = text(body[codeField]);
  const description = text(body.description);
  const expiry = text(body.expire_in);
  const password = text(body.password);
  if (target !== undefined) checkTarget(target, defaultDomain);
  if (password !== undefined) checkLength(password, 3, 64, 'Password');
  if (address !== undefined) checkCode(address, codeField);
  if (description !== undefined) checkLength(description, codeField === 'address' ? 0 : 1, 2_040, 'Description');
  return {
    ...(target !== undefined && { target: withScheme(target) }),
    ...(address !== undefined && { address }),
    ...(description !== undefined && { description }),
    ...(expiry !== undefined && { expiresAt: now + readDuration(expiry) }),
    ...(password !== undefined && { password }),
  };
}

function text(value: unknown): string | undefined {
  if (!value) return undefined;
  if (typeof value !== 'string') throw new KuttProblem('Invalid value', 400);
  return value.trim() || undefined;
}

function checkLength(value: string, min: number, max: number, name: string): void {
  if (value.length < min || value.length > max)
    throw new KuttProblem(`${name} length must be between ${min} and ${max}.`, 400);
}

function checkCode(code: string, field: 'customurl' | 'address'): void {
  checkLength(code, 1, 64, 'Custom URL');
  if (!/^[\w-]+$/.test(code)) throw new KuttProblem(`Custom URL is not valid${field === 'address' ? '' : '.'}`, 400);
  if (RESERVED.includes(code)) throw new KuttProblem("You can't use this custom URL.", 400);
}

function withScheme(target: string): string {
  return /^(\w+:|\/\/)/.test(target) ? target : `http://${target}`;
}

function checkTarget(sent: string, defaultDomain: string): void {
  if (sent.length > 2_040) throw new KuttProblem('Maximum URL length is 2040.', 400);
  const target = withScheme(sent);
  const host = /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(target)?.[1] ?? /^mailto:.*@(.*)$/.exec(target)?.[1];
  const isWeb = /^(https?|ftp):/i.test(target);
  if (isWeb && (/\s/.test(target) || !isPublicHost((host ?? '').replace(/:\d{2,5}$/, ''))))
    throw new KuttProblem('URL is not valid.', 400);
  if (!host || host.replace('www.', '') === defaultDomain)
    throw new KuttProblem(`${defaultDomain} URLs are not allowed.`, 400);
}

function isPublicHost(host: string): boolean {
  const parts = host.split('.');
  if (/^[\d.]+$/.test(host)) {
    const [first = 0, second = 0] = parts.map(Number);
    const isPrivate =
      [10, 127].includes(first) ||
      (first === 169 && second === 254) ||
      (first === 192 && second === 168) ||
      (first === 172 && second >= 16 && second <= 31);
    return parts.length === 4 && first >= 1 && first <= 223 && !isPrivate;
  }
  return parts.length > 1 && /^[a-z\u00a1-\uffff]{2,}$/i.test(parts.at(-1) ?? '') && !/[[\]]/.test(host);
}

function readDuration(value: string): number {
  const [, amount, unit = 'ms'] = /^(-?[\d.]+) *([a-z]*)$/i.exec(value) ?? [];
  const factor = UNIT_MS[unit || 'ms'] ?? UNIT_MS[unit[0] ?? ''];
  if (!Number(amount) || factor === undefined)
    throw new KuttProblem('Expire format is invalid. Valid examples: 1m, 8h, 42 days.', 400);
  if (Number(amount) * factor < 60_000) throw new KuttProblem('Expire time should be more than 1 minute.', 400);
  return Number(amount) * factor;
}

export function checkId(id: string): void {
  if (id.length !== 36) throw new KuttProblem('ID is invalid.', 400);
}

/** `%` and `_` in a search term are wildcards. */
export function likePattern(term: string): RegExp {
  const escaped = term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(escaped.replaceAll('%', '.*').replaceAll('_', '.'), 'is');
}
