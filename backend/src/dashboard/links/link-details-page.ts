import { readClicks } from '../../clicks/read-analytics.ts';
import { shortUrlOf, splitStoredCode } from '../../domain/links/short-domains.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { ApiError } from '../../http/api-error.ts';
import { linkAnalytics } from '../components/click-chart.ts';
import {
  type DateRange,
  PERIODS,
  type Period,
  type PickedRange,
  parseDateRange,
  periodRange,
  rangeToDays,
} from '../components/date-range.ts';
import { type DateFormats, dateFormatsFor, readerDateFormats } from '../components/dates-and-numbers.ts';
import { readForm } from '../components/forms.ts';
import { page } from '../components/layout.ts';
import { qrPng, qrSvg } from '../components/qr-code.ts';
import type { PageContext, Pages, Services } from '../services.ts';
import { editFields, type RefusedEdit, validateEditForm } from './edit-link-form.ts';
import { linkDetailsView } from './link-details-view.ts';
import { codeInAddress, linkAddress } from './link-list-address.ts';

/** Page that shows a link, its clicks and its QR code. Users can edit or delete the link there. */
export function addLinkDetailsPages(pages: Pages, services: Services): void {
  const { store, clock, targets, shortBaseUrls, forwardQuery, onLinkChanged } = services;

  async function ownLink(context: PageContext): Promise<StoredLink> {
    const code = codeInAddress(context);
    const link = code ? await store.links.find(context.var.session.accountId, code) : null;
    if (link?.deletedAt !== null) throw new ApiError('not_found');
    return link;
  }

  async function show(context: PageContext, link: StoredLink, times: DateFormats, submitted?: RefusedEdit) {
    const { range, picked } = readRange((name) => context.req.query(name), clock());
    const clicks = range && { range, analytics: linkAnalytics(await readClicks(store, link.id, range.days), range) };
    const body = linkDetailsView({
      link,
      clicks,
      picked,
      fields: submitted?.fields ?? editFields(link, times),
      problems: submitted?.problems ?? null,
      isSaved: context.req.query('done') === 'saved',
      shortBaseUrls,
      forwardQuery,
      now: clock(),
      times,
    });
    const status = submitted?.problems || picked.problems ? 400 : 200;
    return page(context, { title: link.title ?? splitStoredCode(link.code).code, section: 'links', body, status });
  }

  function addQrDownload(type: string, extension: string, draw: (url: string) => string | Uint8Array<ArrayBuffer>) {
    pages.get(`/links/:code/qr.${extension}`, async (context) => {
      const { code } = await ownLink(context);
      const name = `qr-${splitStoredCode(code).code.replace(/[^\w-]+/g, '-')}.${extension}`;
      const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
      return context.body(draw(shortUrlOf(code, shortBaseUrls)), 200, headers);
    });
  }

  pages.get('/links/:code', async (context) => show(context, await ownLink(context), readerDateFormats(context)));
  pages.post('/links/:code', async (context) => {
    const link = await ownLink(context);
    const form = await readForm(context);
    const times = dateFormatsFor(form.text('zone'));
    const result = validateEditForm(form, link, { times, targets, now: clock() });
    if ('problems' in result) return show(context, link, times, result);
    // Another request may have deleted the link in the meantime.
    if (!(await store.links.edit(link.accountId, link.code, result.edit))) throw new ApiError('not_found');
    onLinkChanged(link.code);
    return context.redirect(`${linkAddress(link.code)}?done=saved`, 303);
  });
  addQrDownload('image/svg+xml; charset=utf-8', 'svg', qrSvg);
  addQrDownload('image/png', 'png', qrPng);
}

function readRange(
  query: (name: string) => string | undefined,
  now: number,
): { range: DateRange | null; picked: PickedRange } {
  const [from, to] = [query('from'), query('to')];
  if (from === undefined && to === undefined) {
    const range = periodRange(readPeriod(query('period')), now);
    return { range, picked: { period: range.period, days: rangeToDays(range), problems: null } };
  }
  const days = { from: from ?? '', to: to ?? '' };
  const parsed = parseDateRange(days, now);
  const problems = 'problems' in parsed ? parsed.problems : null;
  return { range: 'range' in parsed ? parsed.range : null, picked: { period: null, days, problems } };
}

function readPeriod(text: string | undefined): Period {
  return text && Object.hasOwn(PERIODS, text) ? (text as Period) : 'month';
}
