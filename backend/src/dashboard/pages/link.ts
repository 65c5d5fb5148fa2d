import { isShortCode } from '../../domain/codes.ts';
import type { StoredLink } from '../../store/store.ts';
import type { Page, PageContext, Services } from '../env.ts';
import { type Problems, problemsOf, readForm } from '../form.ts';
import { page } from '../layout.ts';
import type { PickedSpan } from '../parts/span-picker.ts';
import { fieldTime, readTime } from '../parts/time.ts';
import { qrPng, qrSvg } from '../qr.ts';
import { reportOf } from '../report.ts';
import { chosenSpan, daysOf, PERIODS, type Period, type Span, spanOf } from '../span.ts';
import { judgeDetails } from '../wanted-link.ts';
import { errorPage } from './error.ts';
import { linkView } from './link-view.ts';

/** One link: its clicks, its QR code, its title and expiry. */
export function linkPage(services: Services): Page[] {
  const { store, clock, shortBaseUrl, onLinkChanged } = services;

  async function own(context: PageContext): Promise<StoredLink | null> {
    const code = context.req.param('code') ?? '';
    const link = isShortCode(code) ? await store.links.find(context.var.session.accountId, code) : null;
    return link?.deletedAt === null ? link : null;
  }

  async function show(context: PageContext, link: StoredLink, fields = fieldsOf(link), problems: Problems = null) {
    const { span, picked } = pick((name) => context.req.query(name), clock());
    const shown = span && { span, report: reportOf(await daysIn(link, span), span) };
    const isSaved = context.req.query('said') === 'saved';
    const body = linkView({ link, shown, picked, fields, problems, isSaved, shortBaseUrl, now: clock() });
    const status = problems || picked.problems ? 400 : 200;
    return page(context, { title: link.title ?? link.code, section: 'links', body, status });
  }

  const daysIn = ({ id }: StoredLink, { days }: Span) => store.clicks.days(id, days.from, days.to);

  async function picture(
    context: PageContext,
    type: string,
    extension: string,
    draw: (url: string) => string | Buffer,
  ) {
    const link = await own(context);
    if (!link) return errorPage(context, 404);
    const drawn = draw(`${shortBaseUrl}/${link.code}`);
    const body = typeof drawn === 'string' ? drawn : new Uint8Array(drawn);
    const name = `qr-${link.code}.${extension}`;
    return context.body(body, 200, { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` });
  }

  return [
    {
      method: 'GET',
      path: '/links/:code',
      access: 'holder',
      async handle(context) {
        const link = await own(context);
        return link ? show(context, link) : errorPage(context, 404);
      },
    },
    {
      method: 'POST',
      path: '/links/:code',
      access: 'holder',
      async handle(context) {
        const link = await own(context);
        if (!link) return errorPage(context, 404);
        const form = await readForm(context);
        const fields = { title: form.text('title'), expiresAt: form.text('expiresAt') };
        // The field holds minutes: a time that was left as it stood must not lose its seconds.
        const isKept = fields.expiresAt === fieldTime(link.expiresAt);
        const asked = isKept ? link.expiresAt : readTime(fields.expiresAt);
        const { title, expiresAt } = judgeDetails({ title: fields.title, expiresAt: asked });
        const problems = problemsOf({ title: title.problem, expiresAt: expiresAt.problem });
        if (problems) return show(context, link, fields, problems);
        await store.links.edit(link.accountId, link.code, { title: title.value, expiresAt: expiresAt.value });
        onLinkChanged(link.code);
        return context.redirect(`/links/${link.code}?said=saved`, 303);
      },
    },
    {
      method: 'GET',
      path: '/links/:code/qr.svg',
      access: 'holder',
      handle: (context) => picture(context, 'image/svg+xml', 'svg', qrSvg),
    },
    {
      method: 'GET',
      path: '/links/:code/qr.png',
      access: 'holder',
      handle: (context) => picture(context, 'image/png', 'png', qrPng),
    },
  ];
}

function fieldsOf({ title, expiresAt }: StoredLink) {
  return { title: title ?? '', expiresAt: fieldTime(expiresAt) };
}

/** The span of time that the address names, as a period or by its first and last day. */
function pick(query: (name: string) => string | undefined, now: number): { span: Span | null; picked: PickedSpan } {
  const [from, to] = [query('from'), query('to')];
  if (from === undefined && to === undefined) {
    const span = spanOf(readPeriod(query('period')), now);
    return { span, picked: { period: span.period, days: daysOf(span), problems: null } };
  }
  const days = { from: from ?? '', to: to ?? '' };
  const chosen = chosenSpan(days, now);
  const problems = 'problems' in chosen ? chosen.problems : null;
  return { span: 'span' in chosen ? chosen.span : null, picked: { period: null, days, problems } };
}

function readPeriod(text: string | undefined): Period {
  return text && Object.hasOwn(PERIODS, text) ? (text as Period) : 'month';
}
