// Checks a history of requests, which `npm run torture -- --record FILE` writes. The checker imports nothing of this
// project and reads only the file. docs/proofs.md describes the rules and the lines.
import { existsSync, readFileSync } from 'node:fs';

// biome-ignore lint/suspicious/noExplicitAny: A history is checked field by field, because it may be malformed.
type Line = Record<string, any>;
type Report = (rule: string, message: string) => void;
/** A request to create links: its first call, and the end of each of its calls. */
type Request = { call: Line; ends: Line[] };
type Run = { lines: Line[]; requests: Request[]; clicks: Line[]; links: Line[]; calls: Line };

/** Checks all runs of a history. Each violation starts with the name of the broken rule. */
export function checkHistory(text: string): { violations: string[]; summary: string[] } {
  const [violations, summary]: [string[], string[]] = [[], []];
  for (const [at, part] of text.split(/^(?={"event":"start",)/m).entries()) {
    const report: Report = (rule, message) => violations.push(`${rule}: Run ${at + 1}: ${message}`);
    try {
      const run = readRun(part.split('\n').slice(0, -1));
      const links = checkLinks(run, report);
      checkQuotas(run, report);
      checkClicks(run, report);
      const calls = Object.entries(run.calls).map(([event, count]) => `${count} ${event}`);
      const faults = run.lines.filter(({ event }) => event === 'fault').length;
      const { service, seed } = run.lines[0] as Line;
      summary.push(`Run ${at + 1}, ${service}, seed ${seed}: calls: ${calls.join(', ')}; ${faults} faults; ${links}`);
    } catch (error) {
      report('format', (error as Error).message);
    }
  }
  return { violations, summary };
}

const isOk = ({ event }: Line) => event === 'ok';
const isUnknown = ({ event }: Line) => event === 'unknown';

function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

function readRun(texts: string[]): Run {
  const lines: Line[] = texts.map((text) => JSON.parse(text));
  const [start, end] = [lines[0], lines.at(-1)];
  const isWhole = start?.event === 'start' && end?.event === 'end' && end.lines === lines.length;
  expect(isWhole, 'Lines are missing or cut off.');
  const [invoked, requests] = [new Map<number, Line>(), new Map<string, Request>()];
  const ended = new Set<number>();
  const calls: Line = { ok: 0, fail: 0, unknown: 0 };
  const clicks: Line[] = [];
  let links: Line[] = [];
  for (const [at, line] of lines.entries()) {
    line.at = at;
    expect(links.length === 0 || line.event === 'end', 'Only the end may follow the last reading.');
    expect(/^\d{4}-\d\d-\d\d$/.test(line.day), `Line ${at + 1} has no day.`);
    if (line.event === 'invoke') {
      expect(!invoked.has(line.call), `Call ${line.call} starts twice.`);
      invoked.set(line.call, line);
      if (line.type === 'create') expect(start.quotas[line.key] > 0, `Key ${line.key} has no quota.`);
      if (line.type === 'create' && !requests.has(line.request)) requests.set(line.request, { call: line, ends: [] });
    }
    if (!Object.hasOwn(calls, line.event)) continue;
    const call = invoked.get(line.call);
    expect(call !== undefined && !ended.has(line.call), `Call ${line.call} ends twice or has no start.`);
    ended.add(line.call);
    calls[line.event] += 1;
    requests.get(call.request)?.ends.push(line);
    if (call.type === 'click') clicks.push({ ...line, code: call.code });
    if (call.type === 'read' && line.event === 'ok') links = line.links;
  }
  const hasAccepted = [...requests.values()].some(({ ends }) => ends.some(isOk));
  expect(hasAccepted && clicks.some(isOk), 'No request was accepted, or no click was answered.');
  expect(ended.size === invoked.size, `${invoked.size - ended.size} calls have no end.`);
  const isRead = ({ code, url, clicks }: Line) => code && url && Number.isInteger(clicks);
  expect(links.length > 0 && links.every(isRead), 'The last reading of links and clicks is missing or malformed.');
  return { lines, requests: [...requests.values()], clicks, links, calls };
}

/** Each request made at most one link per URL. Accepted links exist, and refused ones do not. */
function checkLinks({ requests, links }: Run, report: Report): string {
  const byUrl = Map.groupBy(links, ({ url }) => url);
  let [accepted, unknown] = [0, 0];
  for (const { call, ends } of requests) {
    if (ends.some(isOk)) accepted += call.urls.length;
    else if (ends.some(isUnknown)) unknown += call.urls.length;
    for (const [at, url] of call.urls.entries()) {
      const found = (byUrl.get(url) ?? []).map(({ code }) => code);
      byUrl.delete(url);
      if (found.length > 1) report('one-link-per-request', `Request ${call.request} made ${found} for ${url}.`);
      const answered = ends.filter(isOk).map(({ codes }) => codes[at]);
      const lost = answered.filter((code) => !found.includes(code));
      if (lost.length > 0) report('links', `Request ${call.request} was answered with ${lost}, which is gone.`);
      if (found.length > 0 && !ends.some(isOk) && !ends.some(isUnknown))
        report('links', `Request ${call.request} failed, but made ${found}.`);
    }
  }
  for (const url of byUrl.keys()) report('links', `No request asked for the link to ${url}.`);
  const figures = `${accepted} links accepted, ${unknown} unknown, ${links.length} exist`;
  if (links.length < accepted || links.length > accepted + unknown) report('links', `${figures}.`);
  return figures;
}

/**
 * A request counts for the latest day that the service's clock has shown, which was a day from `first` to `last`
 * between its first call and its answer. In any period, at most the quotas of its days can be used.
 */
function checkQuotas({ lines, requests, links }: Run, report: Report): void {
  const made = new Set(links.map(({ url }) => url));
  const daysOf = (some: Line[]) => [...new Set(some.map(({ day }) => day as string))].sort();
  const days = daysOf(lines);
  let latest = '';
  const latestAt = lines.map(({ day }) => (latest = day > latest ? day : latest));
  for (const [key, quota] of Object.entries<number>(lines[0]?.quotas)) {
    const spans = requests
      .filter(({ call }) => call.key === key && call.urls.some((url: string) => made.has(url)))
      .map(({ call, ends }) => {
        const until = ends.find(isOk)?.at ?? lines.length - 1;
        return { first: daysOf(lines.slice(call.at, until + 1))[0] as string, last: latestAt[until] as string };
      });
    for (const [at, from] of days.entries()) {
      for (const [length, to] of days.slice(at).entries()) {
        const used = spans.filter(({ first, last }) => first >= from && last <= to).length;
        const allowed = quota * (length + 1);
        if (used > allowed)
          report('quota', `Key ${key} made ${used} requests from ${from} to ${to}, but may make ${allowed}.`);
      }
    }
  }
}

/** Each answered click was counted once, and each unknown click at most once. */
function checkClicks({ clicks, links }: Run, report: Report): void {
  const byCode = Map.groupBy(clicks, ({ code }) => code);
  for (const { code, clicks: counted } of links) {
    const ends = byCode.get(code) ?? [];
    const [ok, unknown] = [ends.filter(isOk), ends.filter(isUnknown)];
    const refused = ends.find(({ event }) => event === 'fail');
    if (refused) report('links', `${code} exists, but a click was answered with ${refused.status}.`);
    if (counted < ok.length || counted > ok.length + unknown.length)
      report('clicks', `${code}: ${ok.length} clicks answered, ${unknown.length} unknown, but ${counted} counted.`);
  }
}

if (import.meta.main) {
  const [file = ''] = process.argv.slice(2);
  if (!existsSync(file)) console.log(`There is no file "${file}". Usage: npm run check-history FILE`);
  const { violations, summary } = checkHistory(existsSync(file) ? readFileSync(file, 'utf8') : '');
  for (const line of [...summary, ...violations.map((violation) => `BROKEN ${violation}`)]) console.log(line);
  console.log(violations.length === 0 ? 'All rules hold.' : `Violations: ${violations.length}.`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
