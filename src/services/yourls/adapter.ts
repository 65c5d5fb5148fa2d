import * as z from 'zod/mini';
import type { Exchange, HttpAnswer } from '../http-request-types.ts';
import { NOT_REPORTED, UNDESCRIBED_KEY } from '../response-to-result.ts';
import type { Probe, ServiceAdapter, ServiceContext } from '../service-adapter.ts';
import { YOURLS_FEATURE, yourlsCapabilities } from './capabilities.ts';
import { createLink, findLink } from './create-link.ts';
import { codeUse, deleteLink, editLink, listLinks, readRow } from './list-edit-delete-links.ts';
import { isUnknownAction, readFailure, request } from './requests-and-responses.ts';

const VERSION_PATH = '/yourls-api.php?action=version&format=json';

const Version = z.object({ version: z.string().check(z.maxLength(50)) });

/** Matches a response that contains only a version. Many other servers return a version together with other data. */
const OnlyVersion = z.strictObject({ version: z.string().check(z.regex(/^\d+\.\d+/)) });

/**
 * Response to a request without a valid signature. Other servers send errors with the same status, but without a
 * `callback` property.
 */
const LoginNeeded = z.object({ callback: z.string() });

const LastLink = z.object({ links: z.object({ link_1: z.unknown() }) });

/** Adapter for YOURLS. The API key is the user's signature token. */
export const yourlsAdapter: ServiceAdapter = {
  kind: 'yourls',
  name: 'YOURLS',
  capabilities: yourlsCapabilities,
  // Private servers ask for a login; public servers return their version.
  detect: { path: VERSION_PATH, matches: (answer) => isLoginNeeded(answer) || isVersion(answer) },
  probe: probeYourls,
  create: createLink,
  find: findLink,
  list: listLinks,
  edit: editLink,
  delete: deleteLink,
  codeUse,
};

function* probeYourls(context: ServiceContext): Exchange<Probe> {
  const answer = yield request(context, 'version');
  const { status, date } = answer;
  if (status >= 500) return { reached: false, problem: 'unavailable' };
  const reached = { reached: true as const, date, limits: NOT_REPORTED.limits };
  const version = versionOf(answer);
  if (version === null) {
    const isRefused = isLoginNeeded(answer);
    const isPage = status === 200 && answer.json === undefined;
    const document = isRefused ? { name: 'YOURLS', version: '', shortBaseUrl: '', features: [] } : null;
    return { ...reached, document, key: isRefused ? 'refused' : null, ...(isPage && { isPage }) };
  }
  // A public server also responds to requests without an API key.
  const anonymous = yield { method: 'GET', path: VERSION_PATH, headers: { Accept: 'application/json' } };
  const isPublic = versionOf(anonymous) !== null;
  const features = yield* findPlugins(context);
  if (isPublic) features.push(YOURLS_FEATURE.public);
  const document = { name: 'YOURLS', version, shortBaseUrl: yield* readShortBaseUrl(context), features };
  return { ...reached, document, key: isPublic ? null : UNDESCRIBED_KEY };
}

function versionOf(answer: HttpAnswer): string | null {
  return answer.status === 200 ? (Version.safeParse(answer.json).data?.version ?? null) : null;
}

function isVersion({ status, json }: HttpAnswer): boolean {
  return status === 200 && OnlyVersion.safeParse(json).success;
}

function isLoginNeeded(answer: HttpAnswer): boolean {
  return answer.status === 403 && readFailure(answer)?.status === 403 && LoginNeeded.safeParse(answer.json).success;
}

/**
 * Finds out which plugins the server has. The requests contain no short code, so the plugins do not change any link.
 */
function* findPlugins(context: ServiceContext): Exchange<string[]> {
  const actions = { update: YOURLS_FEATURE.updatePlugin, delete: YOURLS_FEATURE.deletePlugin };
  const features: string[] = [];
  for (const [action, feature] of Object.entries(actions)) {
    const answer = yield request(context, action);
    if (readFailure(answer)?.status === 400 && !isUnknownAction(answer)) features.push(feature);
  }
  return features;
}

/** Returns the base URL of short links, taken from the newest link. Empty if there is no link. */
function* readShortBaseUrl(context: ServiceContext): Exchange<string> {
  const answer = yield request(context, 'stats', { filter: 'last', limit: '1' });
  const link = readRow(LastLink.safeParse(answer.json).data?.links.link_1);
  return link ? link.shortUrl.slice(0, -link.shortCode.length - 1) : '';
}
