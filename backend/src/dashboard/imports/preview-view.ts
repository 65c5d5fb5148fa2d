import { readableHost, TAG_LENGTH_LIMIT, TAGS_LIMIT } from '@terse/contract';
import type { Loss } from '../../import/format.ts';
import type { ImportPreview } from '../../import/preview-import.ts';
import { positionUnit } from '../../import/read-records.ts';
import type { Import } from '../../store/sql/import-queries.ts';
import { type DateFormats, formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { checkbox } from '../components/forms.ts';
import { type Html, html, icon } from '../components/html-elements.ts';

const MAX_PROBLEMS_SHOWN = 12;

/** Names of the data that cannot be imported, and the consequences for the imported links. */
const LOSSES: Record<Loss, { name: string; consequence?: string }> = {
  tags: { name: 'Tags' },
  someTags: { name: `Tags with more than ${TAG_LENGTH_LIMIT} characters, or beyond ${TAGS_LIMIT} per link` },
  clickLimit: { name: 'Click limits', consequence: 'these links keep working' },
  notes: { name: 'Notes' },
  archived: { name: 'Archived status', consequence: 'these links are listed like all others' },
  rules: { name: 'Redirect rules', consequence: 'all visitors are redirected to the same address' },
  sales: { name: 'Leads, conversions and revenue' },
  expiredUrl: { name: 'Redirects of expired links' },
  preview: { name: 'Preview images and texts' },
  titleEnd: { name: 'Ends of long titles' },
  createdAt: {
    name: 'Creation dates that cannot be read or are in the future',
    consequence: 'these links get the current date. Dates such as 2026-04-15 can be read',
  },
  alias: {
    name: 'Targets of links that lead to another short URL of their old domain',
    consequence: 'these links still lead there, and stop working together with it',
  },
};

const ENCODINGS = { 'utf-8': '', 'utf-16le': ', in UTF-16', 'utf-16be': ', in UTF-16', 'windows-1252': ', in Latin-1' };

interface PreviewView {
  token: string;
  name: string;
  preview: ImportPreview;
  /** Domains that are initially selected. */
  suggested: (string | null)[];
  ownDomains: string[];
  /** True if short codes on this server are not case-sensitive. */
  foldsCase: boolean;
  /** Error message if the import could not start. */
  problem: Html | null;
}

export function alreadyImportedMessage({ startedAt }: Import, times: DateFormats): Html {
  return html`You already imported this file on ${times.minute(startedAt)}, so nothing was imported. To import it again, select the check box.`;
}

export function previewView(view: PreviewView): Html {
  const { name, preview, problem } = view;
  const { source, total, ready } = preview;
  const figure = (label: string, value: number) => html`<div><dt>${label}</dt><dd>${formatNumber(value)}</dd></div>`;
  return html`<nav class="crumbs" aria-label="Up"><a href="/links/import">${icon('back')}Import</a></nav>
<div class="page-head"><h1>Preview of <bdi>${name}</bdi></h1></div>
${problem ? html`<p class="notice is-danger" role="alert">${icon('warning')}<span>${problem}</span></p>` : ''}
<p class="help">Detected format: ${source.format.name}${ENCODINGS[source.encoding]}.${problem ? '' : ' Nothing has been imported yet.'}</p>
<dl class="facts">
  ${figure('Links', total)}
  ${figure('Can be imported', ready)}
  ${figure('With problems', total - ready)}
</dl>
${noticeList(preview, view.foldsCase)}
${firstLinkList(preview)}
${preview.losses.length > 0 ? lossList(preview) : ''}
${preview.problems.length > 0 ? problemTable(preview) : ''}
${startForm(view)}`;
}

/**
 * Text that follows the `caseNote` of a file format. The note says that the exporting service ignores upper and lower
 * case.
 */
const CASE_MATTERS = 'On this server, a short URL works only as it is written in the file.';

function noticeList({ source, isPart }: ImportPreview, foldsCase: boolean): Html | '' {
  const part = 'This file is one page of a longer list. Import the other pages too.';
  const { notes = [], caseNote } = source.format;
  const messages = [...(isPart ? [part] : []), ...notes];
  if (caseNote && !foldsCase) messages.push(`${caseNote} ${CASE_MATTERS}`);
  if (messages.length === 0) return '';
  return html`${messages.map((message) => html`<p class="notice is-warning">${icon('warning')}<span>${message}</span></p>`)}`;
}

function unitName(preview: ImportPreview): string {
  return positionUnit(preview.source) === 'line' ? 'Line' : 'Entry';
}

function firstLinkList(preview: ImportPreview): Html {
  const unit = unitName(preview);
  const rows = preview.first.map(({ at, code, domain, url, problem }) => {
    const location = `${unit} ${formatNumber(at)}`;
    return html`<li class="row"><div class="row-text">
    <p class="row-title">${code === null ? 'New short code' : html`<bdi>${code || 'No short code'}</bdi>`}${problem === null ? '' : html` <span class="chip is-warning">Problem</span>`}</p>
    <p class="row-note">${url ? html`<bdi>${url}</bdi>` : 'No address'}</p>
    <p class="row-note">${location}${preview.domains.length > 1 ? html` · <bdi>${domain === null ? 'no domain' : readableHost(domain)}</bdi>` : ''}${problem === null ? '' : ` · ${problem}`}</p></div></li>`;
  });
  const title = preview.total > preview.first.length ? `The first ${preview.first.length} links` : 'The links';
  return html`<section class="card is-flush" aria-labelledby="first-title"><h2 class="flush-head" id="first-title">${title}</h2><ul class="rows">${rows}</ul></section>`;
}

function lossList({ losses }: ImportPreview): Html {
  const items = losses.map(({ loss, links }) => {
    const { name, consequence } = LOSSES[loss];
    return html`<li>${name} (${formatCount(links, 'link')})${consequence ? `: ${consequence}` : ''}</li>`;
  });
  return html`<section class="card" aria-labelledby="losses-title"><h2 id="losses-title">Data that is not imported</h2><ul class="plain">${items}</ul></section>`;
}

function problemTable(preview: ImportPreview): Html {
  const rows = preview.problems
    .slice(0, MAX_PROBLEMS_SHOWN)
    .map(
      ({ problem, links, at }) =>
        html`<tr><td class="cell-text">${problem}</td><td>${formatNumber(links)}</td><td>${formatNumber(at)}</td></tr>`,
    );
  return html`<section class="card" aria-labelledby="problems-title">
  <h2 id="problems-title">Links that cannot be imported</h2>
  <div class="table-box" tabindex="0" role="region" aria-label="Table of problems"><table class="table"><thead><tr><th scope="col">Problem</th><th scope="col">Links</th><th scope="col">First at ${unitName(preview).toLowerCase()}</th></tr></thead><tbody>${rows}</tbody></table></div>
  <p class="help">After the import, you can download a list of all problems.</p>
</section>`;
}

function startForm({ token, preview, suggested, ownDomains, problem }: PreviewView): Html {
  const { ready, domains } = preview;
  return html`<form class="card" method="post" action="/links/import/start">
  <h2>Import</h2>
  <input type="hidden" name="token" value="${token}">
  ${domainChoice(preview, suggested, ownDomains)}
  ${problem ? html`<label class="check"><input type="checkbox" name="again" value="yes" autofocus> Import this file again. Links without a short code become new links.</label>` : ''}
  <p class="help">${ready === 0 ? 'No link in this file can be imported. Continue to get a list of all problems.' : 'These numbers include links whose short code is already taken on this server. The import lists them as problems.'}</p>
  <div class="actions"><button class="button is-primary" type="submit">${icon('up')}${buttonLabel(ready, domains.length)}</button><a class="button" href="/links/import">Choose another file</a></div>
</form>`;
}

function buttonLabel(ready: number, domains: number): string {
  if (ready === 0) return 'List the problems';
  return domains > 1 ? 'Import these links' : `Import ${formatCount(ready, 'link')}`;
}

/**
 * Draws the check boxes for the domains to import. Links of different domains can have the same short code, which is
 * a conflict if both links move to the same domain.
 */
function domainChoice({ domains }: ImportPreview, suggested: (string | null)[], ownDomains: string[]): Html | '' {
  const [only] = domains;
  const hidden = html`<input type="hidden" name="domain-0" value="yes">`;
  if (domains.length < 2) return only ? hidden : '';
  const boxes = domains.map(({ domain, links, ready }, index) => {
    const label = domain === null ? 'Links without a domain' : html`<bdi>${readableHost(domain)}</bdi>`;
    const possible = ready === links ? 'all' : ready === 0 ? 'none' : formatNumber(ready);
    const help = `${formatCount(links, 'link')}, ${possible} can be imported`;
    return checkbox(`domain-${index}`, { label, help, isChecked: suggested.includes(domain) });
  });
  return html`<fieldset class="checks"><legend>Domains to import</legend>
  <p class="help">${ownDomains.length === 1 ? 'All links move to the domain of this server.' : `Links on ${ownDomains.join(', ')} keep their domain. All others move to ${ownDomains[0]}.`} If two links have the same short code, only the first one is imported.</p>
  ${boxes}
</fieldset>`;
}
