import { judgeAgent } from '../domain/clicks/agents.ts';
import { referrerHost } from '../domain/clicks/referrers.ts';
import type { Click } from '../domain/clicks/tallies.ts';
import type { WrittenClick } from './frame.ts';

/** Tells what a click's user agent and referrer mean. */
export type Judge = (click: WrittenClick) => Click;

/** How many judgements are remembered; then all are forgotten, which costs less than knowing the oldest. */
const MOST_REMEMBERED = 5000;

export function createJudge(): Judge {
  const agentOf = remembered(judgeAgent);
  const hostOf = remembered(referrerHost);
  return ({ link, instant, visitor, agent, referrer, country }) => ({
    link,
    instant,
    visitor,
    country,
    agent: agentOf(agent),
    referrer: hostOf(referrer),
  });
}

/** Most clicks come by few browsers, and judging one takes longer than all the rest of counting its click. */
function remembered<Value>(judge: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const value = judge(text);
    known.set(text, value);
    return value;
  };
}
