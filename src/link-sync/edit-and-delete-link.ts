import { ErrorBody } from '@terse/contract/errors';
import { sendToBackgroundWithRetry } from '../messages/ask-background.ts';
import type { Message, ServiceAnswer } from '../messages/protocol.ts';
import type { Connection, Link } from '../queue/types.ts';
import { parseListedLink, type ServiceProblem, serviceProblem } from '../services/terse/links-api.ts';
import { openForPage } from '../storage/load-page-data.ts';
import { listingConnection, mergeListedLink, saveEditedLink } from '../storage/merge-service-links.ts';

export type Call = Omit<Message & { type: 'call-service' }, 'type' | 'connectionId' | 'baseUrl'>;

/** Has the background ask a service; the key stays there. Never throws: a background that dies over it is no answer. */
export async function askService(
  { id, baseUrl }: Pick<Connection, 'id' | 'baseUrl'>,
  call: Call,
): Promise<ServiceAnswer> {
  const reply = await sendToBackgroundWithRetry<ServiceAnswer>({
    type: 'call-service',
    connectionId: id,
    baseUrl,
    ...call,
  }).catch(() => null);
  return reply?.ok ? reply.value : { status: 0, problem: 'unreachable' };
}

/** Asks about one link, below `/api/v1/`; imported codes may hold slashes. */
export async function askAboutLink(
  connection: Pick<Connection, 'id' | 'baseUrl'>,
  family: 'urls' | 'analytics',
  shortCode: string,
  call: Omit<Call, 'path'>,
): Promise<ServiceAnswer> {
  if (!isSafePathSegment(shortCode)) return { status: 0, problem: 'unreachable' };
  return askService(connection, { ...call, path: `${family}/${encodeURIComponent(shortCode)}` });
}

/** Whether a path can name a short code. Dots alone, escaped too, are steps through the path and would name something else. */
export function isSafePathSegment(shortCode: string): boolean {
  return !['', '.', '..'].includes(shortCode);
}

/** What is to be different; what is absent stays. */
export interface LinkChanges {
  url?: string;
  /** Null: none. */
  title?: string | null;
  /** RFC 3339; null: never. */
  expiresAt?: string | null;
}

/** Why a link is not as it was to be. `code` and `message` are the service's own, untrusted. */
export interface ServiceRefusal {
  problem: ServiceProblem;
  code: string;
  message: string;
}

/** Enough of a service's own words for a person to read. */
const LONGEST_MESSAGE = 300;

/** Changes a link at its service, and here as the service answers it. Null: it is done. */
export async function editLink(
  connection: Connection,
  link: Link,
  changes: LinkChanges,
): Promise<ServiceRefusal | null> {
  const answer = await askAboutLink(connection, 'urls', link.shortCode, { method: 'PATCH', body: changes });
  const problem = serviceProblem(answer);
  if (answer.problem || problem) return refusal(problem ?? 'unreachable', answer.problem ? null : answer.body);
  const listed = parseListedLink(answer.body);
  if (listed?.shortCode !== link.shortCode) return refusal('not_understood', null);
  const edited = mergeListedLink(link, connection.id, listed, Date.now());
  // It is done at the service: a copy that cannot be written here is made up for by the next reading of the list.
  await keep('title' in changes ? { ...edited, title: listed.title ?? '' } : edited).catch(() => undefined);
  return null;
}

async function keep(edited: Link): Promise<void> {
  const database = await openForPage();
  try {
    await saveEditedLink(database, edited);
  } finally {
    database.close();
  }
}

/** Deletes a link at its service, which is final, and takes it out of the history. Null: it is done. */
export async function deleteLink(connection: Connection, link: Link): Promise<ServiceProblem | null> {
  const { id: linkId, shortCode } = link;
  const answer = await askAboutLink(connection, 'urls', shortCode, { method: 'DELETE', linkId });
  const problem = serviceProblem(answer);
  if (problem === 'gone') return null;
  return problem ?? (answer.status === 204 ? null : 'not_understood');
}

function refusal(problem: ServiceProblem, body: unknown): ServiceRefusal {
  const parsed = ErrorBody.safeParse(body);
  if (!parsed.success) return { problem, code: '', message: '' };
  return { problem, code: parsed.data.code ?? '', message: parsed.data.error.slice(0, LONGEST_MESSAGE) };
}

/** The connection at whose service a link can be asked for, edited and deleted; null: it is in this browser alone. */
export function connectionOfLink(link: Link, connections: Connection[]): Connection | null {
  return isSafePathSegment(link.shortCode) ? listingConnection(link, connections) : null;
}
