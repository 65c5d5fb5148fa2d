import type { Click, Source } from '../domain/analytics/sum-clicks-per-day.ts';
import { classifyUserAgent, referrerHost } from '../domain/analytics/user-agent-and-referrer.ts';
import type { WrittenClick } from './journal-format.ts';

/** Determines the browser, device and referring site of a click from its headers. */
export type Classify = (click: WrittenClick) => Click;

/**
 * Maximum number of cached results. A full cache is emptied, because searching for its oldest results would be
 * slower.
 */
const MAX_CACHED = 5000;

export function createClassifier(): Classify {
  const sourceOf = createSources();
  return ({ link, instant, visitor, agent, referrer, country }) => ({
    link,
    instant,
    visitor,
    source: sourceOf(agent, referrer, country),
  });
}

function createSources(): (agent: string, referrer: string, country: string) => Source {
  const agentOf = remembered(classifyUserAgent);
  const hostOf = remembered(referrerHost);
  const known = new Map<string, Map<string, Source>>();
  let size = 0;

  return (agent, referrer, country) => {
    // Joins country and referrer with a line break. HTTP headers cannot contain line breaks, so the result is
    // unambiguous.
    const origin = country === '' ? referrer : `${country}\n${referrer}`;
    const before = known.get(agent)?.get(origin);
    if (before) return before;
    if (size >= MAX_CACHED) {
      known.clear();
      size = 0;
    }
    size += 1;
    const sources = known.get(agent) ?? new Map<string, Source>();
    known.set(agent, sources);
    const source = { agent: agentOf(agent), referrer: hostOf(referrer), country };
    sources.set(origin, source);
    return source;
  };
}

/**
 * Returns `classify` with a cache for its results. Recognizing the browser is the slowest step of counting a click,
 * but most clicks come from only a few browsers.
 */
function remembered<Value>(classify: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MAX_CACHED) known.clear();
    const value = classify(text);
    known.set(text, value);
    return value;
  };
}
