import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { generateToken } from '../domain/clock-and-random.ts';
import { API_HEADER_BYTES } from '../http/listener.ts';
import { FIRST_ACCOUNT } from '../store/sql/account-queries.ts';
import { accountPages } from './account/account-page.ts';
import { deleteAccountPages } from './account/delete-account-page.ts';
import { invitationPages } from './account/invitation-page.ts';
import { createSignInLimit } from './account/sign-in-limit.ts';
import { signInPages } from './account/sign-in-page.ts';
import { errorPage } from './components/error-page.ts';
import { isSameOrigin, securityHeaders } from './csrf-and-security-headers.ts';
import { importProgressPages } from './imports/progress-page.ts';
import { importUploadPages } from './imports/upload-and-confirm-page.ts';
import { keyDetailsPages } from './keys/key-details-page.ts';
import { keyListPages } from './keys/key-list-and-new-key-page.ts';
import { bulkActionPages } from './links/bulk-actions-page.ts';
import { exportPages } from './links/export-links.ts';
import { linkDetailsPages } from './links/link-details-page.ts';
import { linkListPages } from './links/link-list-and-delete-page.ts';
import { newLinkPages } from './links/new-link-page.ts';
import { createSearchLimit } from './links/search-limit.ts';
import { overviewPages } from './overview/overview-page.ts';
import type { Page, PageContext, PageEnv, Services } from './page-definition.ts';
import { currentSession } from './sessions.ts';
import { assetPages } from './static-files.ts';

/**
 * Maximum size of a form in bytes. A list page with 50 selected links and the longest possible codes needs 115,000
 * bytes.
 */
const MAX_FORM_BYTES = 128 * 1024;

/**
 * Maximum length of the path that opens after sign-in. The path is part of the sign-in page's URL. Without this
 * maximum, the URL, cookies and other headers could exceed the server's header limit.
 */
const MAX_NEXT_LENGTH = API_HEADER_BYTES - 8 * 1024;

/** Creates the dashboard as a Hono application. */
export function createDashboard(services: Services): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  for (const [path, pages] of Map.groupBy(allPages(services), (page) => page.path)) {
    app.use(path, (context, next) => {
      context.set('route', path);
      context.set('formKey', generateToken(services.random));
      return next();
    });
    app.use(path, securityHeaders, requireSameOrigin(services));
    for (const page of pages) app.on(page.method, [path], ...guardsOf(page, services), page.handle);
    const allow = pages.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, (context) => {
      context.header('Allow', allow);
      return errorPage(context, 405);
    });
  }
  return app;
}

function allPages(services: Services): Page[] {
  const signInLimit = createSignInLimit(services.clock);
  const limitSearches = createSearchLimit(services.clock);
  return [
    ...assetPages(),
    ...signInPages(services, signInLimit),
    ...invitationPages(services),
    ...overviewPages(services),
    ...keyListPages(services),
    ...keyDetailsPages(services),
    ...accountPages(services, signInLimit),
    ...deleteAccountPages(services, signInLimit),
    ...exportPages(services),
    ...bulkActionPages(services),
    ...importUploadPages(services),
    ...importProgressPages(services),
    ...newLinkPages(services),
    ...linkListPages(services, limitSearches),
    ...linkDetailsPages(services),
  ];
}

/**
 * Returns the checks that run before a page's handler. The size limit comes last, because this check reads the body.
 * The body of a forbidden request must not be read.
 */
function guardsOf({ access, readsBody, pathAfterSignIn }: Page, services: Services): MiddlewareHandler<PageEnv>[] {
  const limits = readsBody ? [] : [formLimit];
  if (access === 'anyone') return limits;
  const signedIn = requireSession(services, pathAfterSignIn);
  return access === 'owner' ? [signedIn, requireOwner, ...limits] : [signedIn, ...limits];
}

function requireSession(
  services: Services,
  pathAfterSignIn: Page['pathAfterSignIn'] = requestedPath,
): MiddlewareHandler<PageEnv> {
  return async (context, next) => {
    const session = await currentSession(context, services);
    if (!session) {
      const path = await (isShort(context) ? pathAfterSignIn : requestedPath)(context);
      return context.redirect(signInPath(path), 303);
    }
    context.set('session', session);
    return next();
  };
}

/** True for `GET` requests, and for requests with a `Content-Length` within the limit for forms. */
function isShort(context: PageContext): boolean {
  return context.req.method === 'GET' || Number(context.req.header('Content-Length') ?? Number.NaN) <= MAX_FORM_BYTES;
}

function requestedPath(context: PageContext): string {
  const { pathname, search } = new URL(context.req.url);
  return context.req.method === 'GET' ? pathname + search : '';
}

/** Returns the path of the sign-in page. After sign-in, the browser opens `path`, unless it is empty or too long. */
function signInPath(path: string): string {
  const next = encodeURIComponent(path);
  return next && next.length <= MAX_NEXT_LENGTH ? `/sign-in?next=${next}` : '/sign-in';
}

const requireOwner: MiddlewareHandler<PageEnv> = (context, next) =>
  context.var.session.accountId === FIRST_ACCOUNT ? next() : Promise.resolve(errorPage(context, 403));

function requireSameOrigin({ baseUrl }: Services): MiddlewareHandler<PageEnv> {
  return (context, next) => (isSameOrigin(context.req, baseUrl) ? next() : Promise.resolve(errorPage(context, 403)));
}

const formLimit: MiddlewareHandler<PageEnv> = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: (context) => errorPage(context as PageContext, 413),
});
