import type { Link, Request } from '../queue/types.ts';
import type { GroupView } from '../storage/groups.ts';
import type { ListedRequest } from '../ui/listed-requests.ts';

/** What one address of a group has come to. */
export type Member = { id: string } & ({ link: Link } | { listed: ListedRequest });

export interface GroupProgress {
  /** Those that need the user first, the others in the order of the list. What is gone is left out. */
  members: Member[];
  links: Link[];
  /** Requests that can be given up: on their way, and not being sent at this moment. */
  left: ListedRequest[];
  /** Requests that only the person can move on. */
  stuck: ListedRequest[];
  /** Nothing is on its way any more. */
  hasEnded: boolean;
  /** Addresses that were given up, or taken out of the history. */
  gone: number;
}

/** True if only the user can move the request on. */
export function isStuck({ state }: Request): boolean {
  return state === 'failed' || state === 'undecided';
}

/** How far a group is. */
export function progressOf({ group, links }: GroupView, requests: ListedRequest[]): GroupProgress {
  const linkById = new Map(links.map((link) => [link.id, link]));
  const requestById = new Map(requests.map((one) => [one.request.id, one]));
  const members = group.ids.flatMap((id): Member[] => {
    const link = linkById.get(id);
    if (link) return [{ id, link }];
    const listed = requestById.get(id);
    return listed ? [{ id, listed }] : [];
  });
  const listed = members.flatMap((member) => ('listed' in member ? [member.listed] : []));
  const needsUser = (member: Member) => 'listed' in member && isStuck(member.listed.request);
  const moving = listed.filter(({ request }) => !isStuck(request));
  return {
    members: [...members.filter(needsUser), ...members.filter((member) => !needsUser(member))],
    links: members.flatMap((member) => ('link' in member ? [member.link] : [])),
    left: moving.filter(({ request }) => request.state !== 'sending'),
    stuck: listed.filter(({ request }) => isStuck(request)),
    hasEnded: moving.length === 0,
    gone: group.ids.length - members.length,
  };
}
