import * as z from 'zod/mini';
import {
  EXPIRED,
  foreignResult,
  isExpired,
  isSameUrl,
  lazy,
  messageOf,
  NOT_UNDERSTOOD,
  notSentResult,
  ownResult,
  recognized,
  settleTaken,
  UNAVAILABLE,
  unrecognized,
} from './answers.ts';
import type { HttpAnswer } from './http.ts';
import {
  domainOf,
  errorOf,
  isOnContextDomain,
  kuttLinks,
  PAGE_SIZE,
  readLink,
  readPage,
  request,
  searchCode,
  toDuration,
} from './kutt-links.ts';
import type {
  CallContext,
  Found,
  NewLink,
  ProblemCode,
  RequestResult,
  ServiceAdapter,
  ServiceInfo,
} from './service-adapter.ts';

/**
 * Maximum length of a title. Kutt itself accepts longer titles, but its database column in PostgreSQL and MySQL does
 * not.
 */
const MAX_TITLE_LENGTH = 255;

/**
 * Patterns for Kutt's error messages, because Kutt has no error codes. Kutt sends the first of these messages with
 * status 500.
 */
const PROBLEMS: [RegExp, ProblemCode][] = [
  [/^Custom URL is already in use/, 'short_code_taken'],
  [/^(Custom URL|You can't use this custom URL)/, 'invalid_short_code'],
  [/^(URL is not valid|Target is missing|Maximum URL length)/, 'invalid_url'],
  [/URLs are not allowed\.$|^Domain is banned|malware/, 'target_refused'],
  [/^Unauthorized/, 'unauthorized'],
  [/^(You're banned|Your email address is not verified)/, 'forbidden'],
];

const userSchema = lazy(() => z.object({ email: z.string(), domains: z.array(z.object({ address: z.string() })) }));

/** Adapter for Kutt 3, API v2. */
export const kuttAdapter: ServiceAdapter = {
  kind: 'kutt',
  name: 'Kutt',
  detect: {
    path: '/api/v2/health',
    matches: ({ status, text }) => status === 200 && text === 'OK',
  },

  async probe(context) {
    const answer = await request(context, 'GET', 'users');
    const { status } = answer;
    if (status >= 500) return UNAVAILABLE;
    const user = status === 200 ? userSchema().safeParse(answer.json).data : undefined;
    const refusal = user ? null : keyRefusal(answer);
    if (!user && !refusal) return unrecognized(answer);
    const own = user?.domains.map(({ address }) => address);
    const addresses = own ? await readAddresses(own, context) : { shortBaseUrl: '' };
    return recognized({ name: 'Kutt', version: '', features: [], ...addresses }, refusal ?? 'accepted');
  },

  /** Creates the requested link. Before the request is repeated, `find` must show that the link does not exist. */
  async create({ links }, context) {
    const [link] = links as [NewLink];
    if (isExpired(link, context.now)) return notSentResult([EXPIRED]);
    const answer = await request(context, 'POST', 'links', toFields(link, context));
    if (errorOf(answer) !== null) return ownResult(answer, [await readRefusal(answer, link, context)]);
    const created = answer.status === 201 ? readLink(answer.json) : null;
    if (!created) return foreignResult(answer);
    // A link with a different code or URL is not the requested link.
    const isAsked = created.address === link.shortCode && isSameUrl(created.target, link.url);
    return ownResult(answer, [isAsked ? { kind: 'created', shortUrl: created.link } : NOT_UNDERSTOOD]);
  },

  find,
  ...kuttLinks,
};

/** Returns `refused` or `forbidden` if Kutt rejected the API key, otherwise null. */
function keyRefusal(answer: HttpAnswer): 'refused' | 'forbidden' | null {
  const error = errorOf(answer);
  if (error === null) return null;
  if (answer.status === 401) return 'refused';
  return answer.status === 403 || error.startsWith('Your email address is not verified') ? 'forbidden' : null;
}

/**
 * Returns the base URL of short links, and the user's domains if there are any. Both are taken from the newest links,
 * because the base URL may differ from the address of Kutt's own pages.
 */
async function readAddresses(
  own: string[],
  context: CallContext,
): Promise<Pick<ServiceInfo, 'shortBaseUrl' | 'domains'>> {
  const page = readPage(await request(context, 'GET', `links?limit=${PAGE_SIZE}`));
  const links = page?.data.map(readLink).filter((link) => link !== null) ?? [];
  const baseOf = (host: string | null) => {
    const link = links.find(({ domain }) => (domain ?? null) === host);
    return link?.link.slice(0, -link.address.length - 1) ?? '';
  };
  const shortBaseUrl = baseOf(null);
  const defaultHost = URL.parse(shortBaseUrl || context.baseUrl)?.host ?? '';
  if (own.length === 0) return { shortBaseUrl };
  const others = own.map((name) => ({ name, shortBaseUrl: baseOf(name) }));
  return { shortBaseUrl, domains: [{ name: defaultHost, shortBaseUrl }, ...others] };
}

/** Looks for a link among the user's links. Other users' links are not visible. */
async function find(link: NewLink & { shortCode: string }, context: CallContext): Promise<Found> {
  const result = await searchCode(link.shortCode, isOnContextDomain(context), context);
  if ('problem' in result) return { state: 'unknown' };
  const own = result.value.find(({ target }) => isSameUrl(target, link.url));
  if (own) return { state: 'found', shortUrl: own.link };
  return { state: result.value.length > 0 ? 'taken' : 'absent' };
}

function toFields({ url, shortCode, title, expiresAt }: NewLink, context: CallContext): object {
  const domain = domainOf(context);
  return {
    target: url,
    ...(shortCode !== undefined && { customurl: shortCode }),
    ...(title && { description: title.slice(0, MAX_TITLE_LENGTH) }),
    ...(expiresAt !== undefined && { expire_in: toDuration(expiresAt, context.now) }),
    ...(domain !== null && { domain }),
  };
}

/** Returns the result of a request that Kutt refused. */
async function readRefusal(answer: HttpAnswer, link: NewLink, context: CallContext): Promise<RequestResult> {
  const { status, retryAfterSeconds } = answer;
  const message = messageOf(errorOf(answer));
  if (status === 429) return { kind: 'refused_for_now', code: 'throttled', message, retryAfterSeconds };
  const code = PROBLEMS.find(([pattern]) => pattern.test(message))?.[1];
  // Kutt may have stored the link before the error occurred.
  if (!code && status >= 500) return { kind: 'unclear', code: 'server_error', message };
  const refusal: RequestResult = { kind: 'refused', code: code ?? 'refused', message };
  return code === 'short_code_taken' ? settleTaken(link, (taken) => find(taken, context), refusal) : refusal;
}
