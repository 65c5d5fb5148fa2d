import { isStuck, type ListedRequest } from '../../queue/status/request-status.ts';
import type { Link } from '../../queue/types.ts';
import type { VisibleGroup } from '../../storage/load-page-data.ts';

/** Entry of a submitted list: a link if the URL has been shortened, or a request if it has not. */
export type Member = { id: string } & ({ link: Link } | { listed: ListedRequest });

/** Tabs of the page. The tab `all` shows every URL in the list. Each other tab shows only the URLs in one state. */
export const TABS = ['all', 'done', 'failed', 'waiting'] as const;
export type Tab = (typeof TABS)[number];

export interface GroupProgress {
  /**
   * URLs of the list, except canceled and deleted URLs. URLs that require action by the user come first. The other
   * URLs follow in list order.
   */
  members: Member[];
  links: Link[];
  /** Requests that can be canceled: those that are pending and are not being sent right now. */
  left: ListedRequest[];
  /** True if no request is pending. */
  hasEnded: boolean;
  /** Number of URLs that were canceled or deleted from the history. */
  gone: number;
}

/** Returns the progress of a group. */
export function progressOf({ group, links }: VisibleGroup, requests: ListedRequest[]): GroupProgress {
  const linkById = new Map(links.map((link) => [link.id, link]));
  const requestById = new Map(requests.map((one) => [one.request.id, one]));
  const members = group.ids.flatMap((id): Member[] => {
    const link = linkById.get(id);
    if (link) return [{ id, link }];
    const listed = requestById.get(id);
    return listed ? [{ id, listed }] : [];
  });
  const moving = members.flatMap((one) => ('listed' in one && !isStuck(one.listed.request) ? [one.listed] : []));
  const isFailed = (member: Member) => tabOf(member) === 'failed';
  return {
    members: [...members.filter(isFailed), ...members.filter((member) => !isFailed(member))],
    links: members.flatMap((member) => ('link' in member ? [member.link] : [])),
    left: moving.filter(({ request }) => request.state !== 'sending'),
    hasEnded: moving.length === 0,
    gone: group.ids.length - members.length,
  };
}

/** Returns the tab for a URL: `done`, `failed` or `waiting`. */
export function tabOf(member: Member): Exclude<Tab, 'all'> {
  if ('link' in member) return 'done';
  return isStuck(member.listed.request) ? 'failed' : 'waiting';
}
