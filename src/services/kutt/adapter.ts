import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import { type Exchange, type HttpAnswer, NoAnswer } from '../http-request-types.ts';
import { NOT_REPORTED, UNDESCRIBED_KEY } from '../response-to-result.ts';
import type { Probe, ServerDocument, ServiceAdapter, ServiceContext } from '../service-adapter.ts';
import { kuttCapabilities } from './capabilities.ts';
import { createLink, findLink } from './create-link.ts';
import { codeUse, deleteLink, editLink, listLinks, readClicks } from './list-edit-delete-links.ts';
import { errorOf, PAGE_SIZE, readLink, readPage, request } from './requests-and-responses.ts';

/** Matches the server's address in a web page of Kutt. */
const SITE = /<meta property="og:url" content="(https?:\/\/[^"]{1,300})"/;

const User = z.object({ email: z.string(), domains: z.array(z.object({ address: z.string() })) });

/** Adapter for Kutt, API v2. */
export const kuttAdapter: ServiceAdapter = {
  kind: 'kutt',
  name: 'Kutt',
  capabilities: kuttCapabilities,
  detect: {
    path: '/api/v2/health',
    matches: ({ status, text }) => status === 200 && text === 'OK',
  },
  probe: probeKutt,
  create: createLink,
  find: findLink,
  list: listLinks,
  edit: editLink,
  delete: deleteLink,
  clicks: readClicks,
  codeUse,
};

function* probeKutt(context: ServiceContext): Exchange<Probe> {
  const answer = yield request(context, 'GET', 'users');
  const { status, date } = answer;
  if (status >= 500) return { reached: false, problem: 'unavailable' };
  const reached = { reached: true as const, date, limits: NOT_REPORTED.limits };
  const user = status === 200 ? User.safeParse(answer.json).data : undefined;
  const refusal = user ? null : readRefusal(answer);
  if (!user && !refusal) {
    const isPage = status === 200 && answer.json === undefined;
    return { ...reached, document: null, key: null, ...(isPage && { isPage }) };
  }
  const addresses = user
    ? yield* readAddresses(
        user.domains.map(({ address }) => address),
        context,
      )
    : { shortBaseUrl: '' };
  const document: ServerDocument = { name: 'Kutt', version: '', features: [], ...addresses };
  return { ...reached, document, key: refusal ?? UNDESCRIBED_KEY };
}

/** Returns `refused` or `forbidden` if Kutt rejected the API key, otherwise null. */
function readRefusal(answer: HttpAnswer): 'refused' | 'forbidden' | null {
  const error = errorOf(answer);
  if (error === null) return null;
  if (answer.status === 401) return 'refused';
  return answer.status === 403 || error.startsWith('Your email address is not verified') ? 'forbidden' : null;
}

/**
 * Returns the base URL of short links, and the user's domains if there are any. The base URL may differ from the
 * address of Kutt's own pages.
 */
function* readAddresses(
  own: string[],
  context: ServiceContext,
): Exchange<Pick<ServerDocument, 'shortBaseUrl' | 'domains'>> {
  const page = readPage(yield request(context, 'GET', `links?limit=${PAGE_SIZE}`));
  const links = page?.data.map(readLink).filter((link) => link !== null) ?? [];
  const baseOf = (host: string | null) => {
    const link = links.find(({ domain }) => (domain ?? null) === host);
    return link?.link.slice(0, -link.address.length - 1);
  };
  const shortBaseUrl = baseOf(null) ?? (yield* readSite());
  const defaultHost = URL.parse(shortBaseUrl)?.host;
  if (own.length === 0 || !defaultHost) return { shortBaseUrl };
  // The scheme of a user's own domain depends on the server's configuration. The base URL is therefore known only if
  // a link on that domain exists.
  const others = own.map((name) => ({ name, shortBaseUrl: baseOf(name) ?? '' }));
  return { shortBaseUrl, domains: [{ name: defaultHost, shortBaseUrl }, ...others] };
}

function* readSite(): Exchange<string> {
  try {
    const { text } = yield { method: 'GET', path: '/login', headers: { Accept: 'text/html' } };
    return ShortUrl.safeParse(SITE.exec(text ?? '')?.[1]).data?.replace(/\/$/, '') ?? '';
  } catch (error) {
    // If the login page cannot be read, the base URL of short links is unknown.
    if (error instanceof NoAnswer) return '';
    throw error;
  }
}
