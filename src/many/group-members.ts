import type { Link } from '../queue/types.ts';
import type { GroupView } from '../storage/groups.ts';
import type { ListedRequest } from '../ui/listed-requests.ts';

/** What one address of a group has come to. */
export type Member = { id: string } & ({ link: Link } | { listed: ListedRequest });

export interface GroupProgress {
  /** In the order of the list; what is not there any more left out. */
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
  const isStuck = ({ request: { state } }: ListedRequest) => state === 'failed' || state === 'undecided';
  const moving = listed.filter((one) => !isStuck(one));
  return {
    members,
    links: members.flatMap((member) => ('link' in member ? [member.link] : [])),
    left: moving.filter(({ request }) => request.state !== 'sending'),
    stuck: listed.filter(isStuck),
    hasEnded: moving.length === 0,
    gone: group.ids.length - members.length,
  };
}
