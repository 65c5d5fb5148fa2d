import { readClicks } from '../../clicks/read-analytics.ts';
import { HTTPS_ADDED, validateEdit, withHttps } from '../../domain/links/link-form-messages.ts';
import { codePath } from '../../domain/links/short-codes.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { linkAnalytics } from '../components/click-chart.ts';
import {
  type DateRange,
  daysOf,
  PERIODS,
  type Period,
  type PickedRange,
  rangeOfDays,
  rangeOfPeriod,
} from '../components/date-range.ts';
import { type DateFormats, dateFormatsFor, readerTimes } from '../components/dates-and-numbers.ts';
import { errorPage, ifFound } from '../components/error-page.ts';
import { type Problems, problemsOf, readForm } from '../components/forms.ts';
import { page } from '../components/layout.ts';
import { qrPng, qrSvg } from '../components/qr-code.ts';
import type { Page, PageContext, Services } from '../page-definition.ts';
import { type LinkFields, linkView } from './link-details-view.ts';
import { codeInAddress, linkAddress } from './link-list-address.ts';

/** One link: its clicks, its QR code, and the form to edit it. */
export function linkPage(services: Services): Page[] {
  const { store, clock, targets, shortBaseUrl, onLinkChanged } = services;

  async function ownLink(context: PageContext): Promise<StoredLink | null> {
    const code = codeInAddress(context);
    const link = code ? await store.links.find(context.var.session.accountId, code) : null;
    return link?.deletedAt === null ? link : null;
  }

  async function show(context: PageContext, link: StoredLink, times: DateFormats, sent?: Sent) {
    const { range, picked } = readRange((name) => context.req.query(name), clock());
    const shown = range && { range, analytics: linkAnalytics(await readClicks(store, link.id, range.days), range) };
    const body = linkView({
      link,
      shown,
      picked,
      fields: sent?.fields ?? fieldsOf(link, times),
      problems: sent?.problems ?? null,
      isSaved: context.req.query('done') === 'saved',
      shortBaseUrl,
      now: clock(),
      times,
    });
    const status = sent?.problems || picked.problems ? 400 : 200;
    return page(context, { title: link.title ?? link.code, section: 'links', body, status });
  }

  function picture(type: string, extension: string, draw: (url: string) => string | Uint8Array<ArrayBuffer>) {
    return ifFound(ownLink, (context, { code }) => {
      const name = `qr-${code.replace(/[^\w-]+/g, '-')}.${extension}`;
      const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
      return context.body(draw(`${shortBaseUrl}/${codePath(code)}`), 200, headers);
    });
  }

  return [
    {
      method: 'GET',
      path: '/links/:code',
      access: 'holder',
      handle: ifFound(ownLink, (context, link) => show(context, link, readerTimes(context))),
    },
    {
      method: 'POST',
      path: '/links/:code',
      access: 'holder',
      handle: ifFound(ownLink, async (context, link) => {
        const form = await readForm(context);
        const times = dateFormatsFor(form.text('zone'));
        const fields = { url: form.text('url'), title: form.text('title'), expiresAt: form.text('expiresAt') };
        // The field holds minutes: a time that was left as it was must not lose its seconds.
        const isKept = fields.expiresAt === times.fieldValue(link.expiresAt);
        const expiresAt = isKept ? link.expiresAt : times.read(fields.expiresAt);
        const validated = validateEdit({ ...fields, expiresAt }, link, targets, clock());
        if ('problems' in validated) {
          const guess = validated.problems.url && withHttps(fields.url, targets);
          const problems = problemsOf({ ...validated.problems, ...(guess && { url: HTTPS_ADDED }) });
          return show(context, link, times, { fields: { ...fields, url: guess || fields.url }, problems });
        }
        // Somebody else may have deleted it since it was read.
        if (!(await store.links.edit(link.accountId, link.code, validated.edit))) return errorPage(context, 404);
        onLinkChanged(link.code);
        return context.redirect(`${linkAddress(link.code)}?done=saved`, 303);
      }),
    },
    {
      method: 'GET',
      path: '/links/:code/qr.svg',
      access: 'holder',
      handle: picture('image/svg+xml', 'svg', qrSvg),
    },
    { method: 'GET', path: '/links/:code/qr.png', access: 'holder', handle: picture('image/png', 'png', qrPng) },
  ];
}

/** A form that was sent and is shown again, with what is wrong with it. */
interface Sent {
  fields: LinkFields;
  problems: Problems;
}

function fieldsOf({ url, title, expiresAt }: StoredLink, times: DateFormats): LinkFields {
  return { url, title: title ?? '', expiresAt: times.fieldValue(expiresAt) };
}

/** Reads the date range in the address: a period, or a first and last day. */
function readRange(
  query: (name: string) => string | undefined,
  now: number,
): { range: DateRange | null; picked: PickedRange } {
  const [from, to] = [query('from'), query('to')];
  if (from === undefined && to === undefined) {
    const range = rangeOfPeriod(readPeriod(query('period')), now);
    return { range, picked: { period: range.period, days: daysOf(range), problems: null } };
  }
  const days = { from: from ?? '', to: to ?? '' };
  const chosen = rangeOfDays(days, now);
  const problems = 'problems' in chosen ? chosen.problems : null;
  return { range: 'range' in chosen ? chosen.range : null, picked: { period: null, days, problems } };
}

function readPeriod(text: string | undefined): Period {
  return text && Object.hasOwn(PERIODS, text) ? (text as Period) : 'month';
}
