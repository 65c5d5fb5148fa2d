import { ERROR_STATUS } from '@terse/contract';
import type { IconName } from '@terse/design';
import type { Context, HonoRequest } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PageContext } from '../../api/services.ts';
import { type ApiError, MESSAGES } from '../../http/api-error.ts';
import { assetUrl } from '../static-files.ts';
import { type Html, html, icon, mark } from './html-elements.ts';

type Section = 'overview' | 'links' | 'keys' | 'account';

export interface PageView {
  title: string;
  body: Html;
  /** Selected navigation item. If null, the navigation is hidden. */
  section: Section | null;
  status?: ContentfulStatusCode;
  /** Number of seconds after which the page reloads if JavaScript is disabled. */
  refresh?: number;
  /** True for pages with only a single form or message. */
  isNarrow?: boolean;
}

const SECTIONS: { section: Section; path: string; label: string; icon: IconName }[] = [
  { section: 'overview', path: '/overview', label: 'Overview', icon: 'chart' },
  { section: 'links', path: '/links', label: 'Links', icon: 'links' },
  { section: 'keys', path: '/keys', label: 'API keys', icon: 'key' },
  { section: 'account', path: '/account', label: 'Account', icon: 'person' },
];

/**
 * Security headers of the dashboard and of error pages. Inline scripts, inline styles, frames and files of other hosts
 * are blocked.
 */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
  },
  xFrameOptions: 'DENY',
  // `isSameOrigin` needs the `Origin` header. With `no-referrer`, browsers would send `Origin: null` with form
  // submissions.
  referrerPolicy: 'same-origin',
  permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
  // The operator decides if all hosts of this domain require https.
  strictTransportSecurity: false,
});

/** Title of the error page for each HTTP status, and the text that replaces the standard message of the API. */
const ERRORS: Record<number, [title: string, text?: string] | undefined> = {
  403: [
    'Not allowed',
    'Your account has no access to this page, or the form was sent from another site. Nothing was changed.',
  ],
  404: ['Not found', 'This page does not exist, or it belongs to another account.'],
  405: ['Not supported', 'This page does not support this kind of request.'],
  413: ['Too large', 'The upload is larger than this page accepts. Nothing was changed.'],
  429: ['Too many searches', 'Wait a second and try again. Nothing was changed.'],
  500: ['Something went wrong', 'The error was logged. Try again in a moment.'],
  503: ['Temporarily unavailable'],
};

/** Icons, styles and script of every page. */
const HEAD_LINKS = html`<link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${assetUrl('apple-touch-icon.png')}">
<link rel="manifest" href="${assetUrl('app.webmanifest')}" crossorigin="use-credentials">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#232c29">
<link rel="stylesheet" href="${assetUrl('base.css')}">
<link rel="stylesheet" href="${assetUrl('dashboard.css')}">
<script type="module" src="${assetUrl('dashboard.js')}"></script>`;

export function page(context: PageContext, view: PageView): Response | Promise<Response> {
  return context.html(renderPage(view), view.status ?? 200);
}

function renderPage({ title, body, section, refresh, isNarrow }: PageView): Html {
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${refresh ? html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>` : ''}
<title>${title} · Terse server</title>
${HEAD_LINKS}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="site-head"><div class="site-head-row">
  <a class="brand" href="/">${mark()}<span>Terse server</span></a>
  ${section ? navigation(section) : ''}
</div></header>
<main id="main" class="${isNarrow ? 'page is-narrow' : 'page is-wide'}">
${connectionNotice()}
${body}
</main>
</body>
</html>`;
}

function navigation(current: Section): Html {
  const items = SECTIONS.map(({ section, path, label, icon: name }) => {
    const currentMark = section === current ? html`aria-current="page"` : '';
    return html`<li><a class="site-page" href="${path}" ${currentMark}>${icon(name)}<span>${label}</span></a></li>`;
  });
  return html`<nav class="nav" aria-label="Dashboard"><ul class="site-pages">${items}</ul></nav>
  <form class="top-end" method="post" action="/sign-out">
    <button class="button is-quiet" type="submit">${icon('leave')}<span>Sign out</span></button>
  </form>`;
}

/**
 * Draws a hidden notice. A script shows the notice if the user opened a connection link in the browser instead of
 * pasting it into the extension.
 */
function connectionNotice(): Html {
  return html`<section class="notice is-warning" id="connection-link" aria-labelledby="connection-link-title" hidden>
  ${icon('key')}
  <div>
    <h2 id="connection-link-title">This is a connection link</h2>
    <p>It connects the Terse extension to this server. Copy it, open the extension’s options and paste it there. It contains an API key, so keep it to yourself. This page removed the key from the address bar and did not send it to the server.</p>
    <div class="actions"><button type="button" class="button" data-copy="" hidden>${icon('copy')}<span data-copy-label aria-live="polite">Copy the connection link</span></button></div>
  </div>
</section>`;
}

/**
 * True if a browser sent the request and the path is not part of the API. Errors are then shown as HTML pages instead
 * of JSON.
 */
export function wantsHtml(request: HonoRequest): boolean {
  return !/^\/api(\/|$)/.test(request.path) && /\btext\/html\b/.test(request.header('Accept') ?? '');
}

/** Shows an error as a page. */
export async function errorPage(context: Context, { code, message, headers }: ApiError): Promise<Response> {
  const status = ERROR_STATUS[code];
  const [title, standard = message] = ERRORS[status] ?? ['Something went wrong'];
  const text = message === MESSAGES[code] ? standard : message;
  const body = html`<div class="card is-centred"><h1>${title}</h1><p>${text}</p>
  <div class="actions"><a class="button" href="/">Go to the dashboard</a></div></div>`;
  context.res = await context.html(renderPage({ title, body, section: null, isNarrow: true }), status, headers);
  await securityHeaders(context, async () => {});
  return context.res;
}
