import { LRUCache } from 'lru-cache';
import { type Agent, judgeAgent } from '../domain/clicks/agents.ts';
import { referrerHost } from '../domain/clicks/referrers.ts';
import type { Click } from '../domain/clicks/tallies.ts';
import type { WrittenClick } from './frame.ts';

/** Tells what a click's user agent and referrer mean. */
export type Judge = (click: WrittenClick) => Click;

/** Most clicks come by few browsers; judging one afresh takes longer than all the rest of counting its click. */
const MOST_REMEMBERED = 5000;

export function createJudge(): Judge {
  const agents = new LRUCache<string, Agent>({ max: MOST_REMEMBERED, memoMethod: judgeAgent });
  const hosts = new LRUCache<string, string>({ max: MOST_REMEMBERED, memoMethod: referrerHost });
  return ({ link, instant, visitor, agent, referrer, country }) => ({
    link,
    instant,
    visitor,
    country,
    agent: agents.memo(agent),
    referrer: hosts.memo(referrer),
  });
}
