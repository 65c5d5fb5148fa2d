// Checks the history of requests in a file that `npm run torture -- --record FILE` has written. The checker imports
// nothing from this project and reads only the file. docs/proofs.md describes the rules and the file format.
import assert from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';

// biome-ignore lint/suspicious/noExplicitAny: A history is checked field by field, because it may be malformed.
type Line = Record<string, any>;
type Report = (rule: string, message: string) => void;
/** Parsed lines of one test run. The field `end` of a call's first line contains its last line. */
type Run = { start: Line; lines: Line[]; requests: [Line, ...Line[]][]; clicks: Line[]; links: Line[] };

/** Checks the recorded requests of one or more test runs. A violation starts with the name of the broken rule. */
export function checkHistory(text: string): { violations: string[]; summary: string[] } {
  const [violations, summary]: [string[], string[]] = [[], []];
  for (const [at, part] of text.split(/^(?={"event":"start",)/m).entries()) {
    const report: Report = (rule, message) => violations.push(`${rule}: Run ${at + 1}: ${message}`);
    try {
      const run = readRun(part.split('\n').slice(0, -1));
      const links = checkLinks(run, report);
      for (const check of [checkRefusals, checkQuotas, checkClicks]) check(run, report);
      const count = (name: string) => run.lines.filter(({ event }) => event === name).length;
      const calls = `${count('ok')} ok, ${count('fail')} fail, ${count('unknown')} unknown; ${count('fault')} faults`;
      summary.push(`Run ${at + 1}, ${run.start.service}, seed ${run.start.seed}: calls: ${calls}; ${links}`);
    } catch (error) {
      report('format', (error as Error).message);
    }
  }
  return { violations, summary };
}

const endsOf = (calls: Line[], name: string) => calls.map(({ end }) => end).filter(({ event }) => event === name);

function readRun(texts: string[]): Run {
  const lines: Line[] = texts.map((text) => JSON.parse(text));
  const [start, end] = [lines[0], lines.at(-1)];
  assert(start?.event === 'start' && end?.event === 'end' && end.lines === lines.length, 'Lines are missing.');
  const started = new Map<number, Line>();
  for (const [at, line] of lines.entries()) {
    line.at = at;
    assert(/^\d{4}-\d\d-\d\d$/.test(line.day), `Line ${at + 1} has no day.`);
    if (line.event === 'invoke') {
      assert(!started.has(line.call), `Call ${line.call} starts twice.`);
      assert(line.type !== 'create' || start.quotas[line.key] > 0, `Key ${line.key} has no quota.`);
      started.set(line.call, line);
    } else if (['ok', 'fail', 'unknown'].includes(line.event)) {
      const call = started.get(line.call);
      assert(call && !call.end, `Call ${line.call} ends twice or has no start.`);
      call.end = line;
    }
  }
  const calls = [...started.values()];
  assert(!calls.some((call) => !call.end), 'A call has no end.');
  const clicks = calls.filter(({ type }) => type === 'click');
  const creations = calls.filter(({ type }) => type === 'create');
  const hasAccepted = endsOf(creations, 'ok').length > 0 && endsOf(clicks, 'ok').length > 0;
  assert(hasAccepted, 'No request was accepted, or no click was answered.');
  const reading = lines.at(-3);
  const links: Line[] = (reading?.type === 'read' && reading.end.links) || [];
  const isRead = ({ code, url, clicks }: Line) => code && url && Number.isInteger(clicks);
  assert(links.length > 0 && links.every(isRead), 'The last reading of links and clicks is missing or malformed.');
  const requests = [...Map.groupBy(creations, ({ request }) => request).values()] as Run['requests'];
  return { start, lines, requests, clicks, links };
}

/** Checks that each link in a response was created exactly once, and that refused requests created no links. */
function checkLinks({ requests, links }: Run, report: Report): string {
  if (new Set(links.map(({ code }) => code)).size < links.length) report('links', 'Two links have the same code.');
  const byUrl = Map.groupBy(links, ({ url }) => url);
  const asked: Line = { ok: 0, unknown: 0, fail: 0 };
  for (const calls of requests) {
    const { request, urls } = calls[0];
    const outcome = Object.keys(asked).find((event) => endsOf(calls, event).length > 0) ?? '';
    asked[outcome] += urls.length;
    const made: string[][] = urls.map((url: string) => (byUrl.get(url) ?? []).map(({ code }) => code));
    for (const url of urls) byUrl.delete(url);
    if (made.some(({ length }) => length > 1)) report('one-link-per-request', `Request ${request} made ${made}.`);
    for (const { codes } of endsOf(calls, 'ok')) {
      const isRight = JSON.stringify(codes.map((code: string) => [code])) === JSON.stringify(made);
      if (!isRight) report('links', `Request ${request} was answered with ${codes}, but made ${made}.`);
    }
    if (outcome === 'fail' && made.flat().length > 0) report('links', `Request ${request} failed, but made ${made}.`);
  }
  for (const url of byUrl.keys()) report('links', `No request asked for the link to ${url}.`);
  return `${asked.ok} links accepted, ${asked.unknown} unknown, ${links.length} exist`;
}

/** Checks that only limits caused refusals, and that no request was refused after it had been accepted. */
function checkRefusals({ start, requests }: Run, report: Report): void {
  for (const calls of requests) {
    for (const { at, key, request, end } of calls.filter(({ end }) => end.event === 'fail')) {
      const answer = `Request ${request} was answered with ${end.status} ${end.error}`;
      const others = requests.filter(([first]) => first.key === key && first.at < end.at).length - 1;
      if (end.error === 'quota_exceeded' && others < start.quotas[key]) report('refusals', `${answer} too early.`);
      if (end.status !== 429) report('refusals', `${answer}.`);
      if (endsOf(calls, 'ok').some((ok) => ok.at < at)) report('refusals', `${answer} after it was accepted.`);
    }
  }
}

/** Checks that no API key exceeded its daily quota. A request around midnight may count on either of two days. */
function checkQuotas({ start, lines, requests, links }: Run, report: Report): void {
  const made = new Set(links.map(({ url }) => url));
  const daysOf = (some: Line[]) => [...new Set(some.map(({ day }) => day as string))].sort();
  const days = daysOf(lines);
  const periods = days.flatMap((from, at) => days.slice(at).map((to, more) => ({ from, to, length: more + 1 })));
  let latest = '';
  const latestAt = lines.map(({ day }) => (latest = day > latest ? day : latest));
  for (const [key, quota] of Object.entries<number>(start.quotas)) {
    const spans = requests
      .filter(([first]) => first.key === key && first.urls.some((url: string) => made.has(url)))
      .map((calls) => {
        const until = Math.min(lines.length - 1, ...endsOf(calls, 'ok').map(({ at }) => at));
        return { first: daysOf(lines.slice(calls[0].at, until + 1))[0] as string, last: latestAt[until] as string };
      });
    for (const { from, to, length } of periods) {
      const used = spans.filter(({ first, last }) => first >= from && last <= to).length;
      if (used > quota * length)
        report('quota', `Key ${key} made ${used} requests from ${from} to ${to}, but may make ${quota * length}.`);
    }
  }
}

/** Checks that successful clicks were counted exactly once, and clicks with an unknown result at most once. */
function checkClicks({ clicks, links }: Run, report: Report): void {
  const byCode = Map.groupBy(clicks, ({ code }) => code);
  for (const { code, url, clicks: counted } of links) {
    const clicked = byCode.get(code) ?? [];
    byCode.delete(code);
    const [ok, unknown] = [endsOf(clicked, 'ok'), endsOf(clicked, 'unknown')];
    const wrong = [...ok, ...endsOf(clicked, 'fail')].find(({ location }) => location !== url);
    if (wrong) report('links', `${code} leads to ${url}, but a click to ${wrong.location ?? wrong.status}.`);
    if (counted < ok.length || counted > ok.length + unknown.length)
      report('clicks', `${code}: ${ok.length} clicks answered, ${unknown.length} unknown, but ${counted} counted.`);
  }
  for (const [code, clicked] of byCode)
    if (endsOf(clicked, 'ok').length > 0) report('links', `${code} does not exist, but a click was redirected.`);
}

if (import.meta.main) {
  const [file = ''] = process.argv.slice(2);
  if (!existsSync(file)) {
    console.error(`There is no file "${file}". Usage: npm run check-history FILE`);
    process.exit(1);
  }
  const { violations, summary } = checkHistory(readFileSync(file, 'utf8'));
  for (const line of [...summary, ...violations.map((violation) => `BROKEN ${violation}`)]) console.log(line);
  console.log(violations.length === 0 ? 'All rules hold.' : `Violations: ${violations.length}.`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
