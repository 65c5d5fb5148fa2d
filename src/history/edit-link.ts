import { ErrorBody } from '@terse/contract/errors';
import type { Connection, Link } from '../queue/types.ts';
import { keepEdited, merged } from '../storage/listed-links.ts';
import { openForPage } from '../storage/read.ts';
import { askAboutLink } from './ask-service.ts';
import { readListed } from './listing.ts';
import { type ServiceProblem, serviceProblem } from './service-problem.ts';

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
  const listed = readListed(answer.body);
  if (listed?.shortCode !== link.shortCode) return refusal('not_understood', null);
  const edited = merged(link, connection.id, listed, Date.now());
  // It is done at the service: a copy that cannot be written here is made up for by the next reading of the list.
  await keep('title' in changes ? { ...edited, title: listed.title ?? '' } : edited).catch(() => undefined);
  return null;
}

async function keep(edited: Link): Promise<void> {
  const database = await openForPage();
  try {
    await keepEdited(database, edited);
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
