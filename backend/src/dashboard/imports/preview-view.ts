import type { Loss } from '../../import/formats/format.ts';
import type { ImportPreview } from '../../import/preview-import.ts';
import { positionUnit } from '../../import/read-links.ts';
import type { Import } from '../../store/interface/import-store.ts';
import { type DateFormats, formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { type Html, html, icon } from '../components/html-elements.ts';

/** How many kinds of problems are shown. */
const MAX_PROBLEMS_SHOWN = 12;

/** What is lost, and what that means where it is no mere note. */
const LOSSES: Record<Loss, { what: string; meaning?: string }> = {
  tags: { what: 'Tags' },
  clicks: { what: 'Numbers of clicks' },
  clickLimit: { what: 'Limits of clicks', meaning: 'these links go on working' },
  notes: { what: 'Notes' },
  archived: { what: 'Marks as archived', meaning: 'these links are listed like any other' },
  rules: { what: 'Rules that lead some visitors elsewhere', meaning: 'everybody is led to the long URL' },
  query: {
    what: 'Forwarding of the query',
    meaning: 'what visitors add to a short URL does not reach the long URL',
  },
  sales: { what: 'Numbers of leads, conversions and revenue' },
  expiredUrl: { what: 'Where a link leads once it has expired' },
  preview: { what: 'Pictures and texts for previews' },
  titleEnd: { what: 'The ends of long titles' },
};

const ENCODINGS = { 'utf-8': '', 'utf-16le': ', in UTF-16', 'utf-16be': ', in UTF-16', 'windows-1252': ', in Latin-1' };

interface PreviewView {
  /** Names the file that waits. */
  token: string;
  name: string;
  survey: ImportPreview;
  /** The domain whose links are imported unless others are chosen. */
  first: string | null;
  /** Why the import did not begin, although it was asked for. */
  problem: Html | null;
}

/** What to say where the same file was imported before. */
export function alreadyImportedMessage({ startedAt }: Import, times: DateFormats): Html {
  return html`You imported this file on ${times.minute(startedAt)}, so nothing was done. To import it once more, tick the box.`;
}

export function previewView(preview: PreviewView): Html {
  const { name, survey, problem } = preview;
  const { source, total, ready } = survey;
  const fact = (label: string, value: number) => html`<div><dt>${label}</dt><dd>${formatNumber(value)}</dd></div>`;
  return html`<nav class="crumbs" aria-label="Up"><a href="/links/import">${icon('back')}Import</a></nav>
<div class="page-head"><h1>What is in <bdi>${name}</bdi></h1></div>
${problem ? html`<p class="flash is-danger" role="alert">${icon('warning')}<span>${problem}</span></p>` : ''}
<p class="help">Recognised: ${source.format.name}${ENCODINGS[source.encoding]}.${problem ? '' : ' Nothing has been imported yet.'}</p>
<dl class="facts">
  ${fact('Links', total)}
  ${fact('Can be imported', ready)}
  ${fact('With a problem', total - ready)}
</dl>
${noticeList(survey)}
${firstLinkList(survey)}
${survey.losses.length > 0 ? lossList(survey) : ''}
${survey.problems.length > 0 ? problemTable(survey) : ''}
${startForm(preview)}`;
}

function noticeList({ source, isPart }: ImportPreview): Html | '' {
  const part = 'The file says that there are more links than it holds. Import its other pages too.';
  const sentences = [...(isPart ? [part] : []), ...(source.format.notes ?? [])];
  if (sentences.length === 0) return '';
  return html`${sentences.map((sentence) => html`<p class="notice">${icon('warning')}<span>${sentence}</span></p>`)}`;
}

/** What a column is called that says where a link stands in its file. */
function unitName(survey: ImportPreview): string {
  return positionUnit(survey.source) === 'line' ? 'Line' : 'Entry';
}

function firstLinkList(survey: ImportPreview): Html {
  const unit = unitName(survey);
  const hasDomains = survey.domains.length > 1;
  const rows = survey.first.map(({ at, code, domain, url, problem }) => {
    const location = `${unit} ${formatNumber(at)}`;
    return html`<li class="row"><div class="row-text">
    <p class="row-title">${code === null ? 'A new short code' : html`<bdi>${code || 'No short code'}</bdi>`}${problem === null ? '' : html` <span class="chip is-warning">Problem</span>`}</p>
    <p class="row-note">${url ? html`<bdi>${url}</bdi>` : 'No long URL'}</p>
    <p class="row-note">${location}${hasDomains ? html` · <bdi>${domain ?? 'no domain'}</bdi>` : ''}${problem === null ? '' : ` · ${problem}`}</p></div></li>`;
  });
  const title = survey.total > survey.first.length ? `The first ${survey.first.length} links` : 'The links';
  return html`<section class="card is-flush" aria-labelledby="first-title"><h2 class="flush-head" id="first-title">${title}</h2><ul class="rows">${rows}</ul></section>`;
}

function lossList({ losses }: ImportPreview): Html {
  const items = losses.map(({ loss, links }) => {
    const { what, meaning } = LOSSES[loss];
    return html`<li>${what} (${formatCount(links, 'link')})${meaning ? `: ${meaning}` : ''}</li>`;
  });
  return html`<section class="card" aria-labelledby="losses-title"><h2 id="losses-title">What Terse does not keep</h2><ul class="plain">${items}</ul></section>`;
}

function problemTable(survey: ImportPreview): Html {
  const rows = survey.problems
    .slice(0, MAX_PROBLEMS_SHOWN)
    .map(
      ({ problem, links, at }) =>
        html`<tr><td class="cell-text">${problem}</td><td>${formatNumber(links)}</td><td>${formatNumber(at)}</td></tr>`,
    );
  return html`<section class="card" aria-labelledby="problems-title">
  <h2 id="problems-title">What cannot be imported</h2>
  <div class="table-box" tabindex="0" role="region" aria-label="Table of problems"><table class="table"><thead><tr><th scope="col">Problem</th><th scope="col">Links</th><th scope="col">First at ${unitName(survey).toLowerCase()}</th></tr></thead><tbody>${rows}</tbody></table></div>
  <p class="help">After the import, a list names every one of them. Whether a short code is taken shows only then.</p>
</section>`;
}

function startForm({ token, survey, first, problem }: PreviewView): Html {
  const { ready, domains, source } = survey;
  return html`<form class="card" method="post" action="/links/import/start">
  <h2>Import</h2>
  <input type="hidden" name="token" value="${token}"><input type="hidden" name="confirmed" value="${source.fingerprint.toString('hex')}">
  ${domainChoice(survey, first)}
  ${problem ? html`<label class="check"><input type="checkbox" name="again" value="yes" autofocus> Import this file again. Links without a short code become new links.</label>` : ''}
  ${ready === 0 ? html`<p class="help">Nothing in this file can be imported. If you go on, you get a list that names each problem.</p>` : ''}
  <div class="actions"><button class="button is-primary" type="submit">${icon('up')}${buttonLabel(ready, domains.length)}</button><a class="button" href="/links/import">Choose another file</a></div>
</form>`;
}

function buttonLabel(ready: number, domains: number): string {
  if (ready === 0) return 'List the problems';
  return domains > 1 ? 'Import these links' : `Import ${formatCount(ready, 'link')}`;
}

/** Links of different domains can have the same short code: here, all of them would be on one. */
function domainChoice({ domains }: ImportPreview, first: string | null): Html | '' {
  const [only] = domains;
  const hidden = html`<input type="hidden" name="domain-0" value="yes">`;
  if (domains.length < 2) return only ? hidden : '';
  const boxes = domains.map(
    ({ domain, links, ready }, index) =>
      html`<div class="check"><input type="checkbox" id="domain-${index}" name="domain-${index}" value="yes" aria-describedby="domain-${index}-help" ${domain === first ? html`checked` : ''}>
  <div><label for="domain-${index}">${domain === null ? 'Links that name no domain' : html`<bdi>${domain}</bdi>`}</label><p class="help" id="domain-${index}-help">${formatCount(links, 'link')}, ${ready === links ? 'all' : ready === 0 ? 'none' : formatNumber(ready)} of which can be imported</p></div></div>`,
  );
  return html`<fieldset class="checks"><legend>Which domains’ links?</legend>
  <p class="help">Here, all links are on one domain. Where two have the same short code, only the first is imported.</p>
  ${boxes}
</fieldset>`;
}
