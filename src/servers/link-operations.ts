import {
  type Clicks,
  type CodeUse,
  type Found,
  type LinkChanges,
  type LinkListPage,
  type LinkReference,
  type ListedLink,
  type NewLink,
  OperationFailed,
  type ServiceFailure,
  type ServiceResult,
  serviceFailure,
} from './adapter.ts';
import { failed, foundIn } from './answers.ts';
import { onDomainOf, type Server } from './call-server.ts';
import { capabilitiesOf } from './capabilities.ts';
import { NoAnswer } from './http.ts';

/* Operations on the existing links of a server of any kind. These functions do not throw. */

/**
 * Maximum number of links that are deleted for one code. Several links may have the same code if they were created at
 * the same moment.
 */
const MAX_DELETIONS = 3;

/** Reads one page of the list of links, newest first. An empty cursor selects the first page. */
export function listLinks({ adapter, context }: Server, cursor: string): Promise<ServiceResult<LinkListPage>> {
  return operate(() => adapter.list(cursor, context));
}

/** Looks for the link of a request by its short code. */
export function findLink({ adapter, context }: Server, link: NewLink): Promise<Found> {
  const { shortCode } = link;
  if (shortCode === undefined) return Promise.resolve({ state: 'unknown' });
  return foundIn(read({ adapter, context: onDomainOf(link, context) }, { shortCode }), link.url);
}

/**
 * Checks whether a short code is in use. The form for a new link shows the result while the user types. The result is
 * `unknown` if the server gives no clear answer, for example because the code belongs to another account.
 */
export async function readCodeUse(server: Server, shortCode: string): Promise<ServiceResult<CodeUse>> {
  const { adapter, context } = server;
  const found = await operate(() => read(server, { shortCode }));
  if ('problem' in found) return { value: found.code === 'gone' ? 'taken' : 'unknown' };
  if (found.value) return { value: 'taken' };
  const { seesAllCodes } = capabilitiesOf({ kind: adapter.kind, service: context.service });
  return { value: seesAllCodes ? 'available' : 'unknown' };
}

/** Changes a link, but keeps all properties that are not in `changes`. Returns the link after the change. */
export function editLink(
  { adapter, context }: Server,
  link: LinkReference,
  changes: LinkChanges,
): Promise<ServiceResult<ListedLink>> {
  return operate(async () => sameCode(await adapter.edit(link, changes, context), link));
}

/**
 * Deletes a link, and checks that it is deleted. A Wi-Fi login page may respond to any request with a success status, so
 * only the server's own answer shows that the link is gone. A link that is already deleted counts as deleted.
 */
export function deleteLink(server: Server, link: LinkReference): Promise<ServiceResult<null>> {
  const { adapter, context } = server;
  return operate(async () => {
    for (let deletions = 0; deletions < MAX_DELETIONS; deletions++) {
      await adapter.delete(link, context).catch(unlessGone);
      // A key may be allowed to delete links, but not to read them.
      const left = await read(server, link).catch((error) => unlessGone(error, ['gone', 'forbidden']));
      if (!left) return null;
    }
    throw failed('not_understood');
  });
}

/** Reads the clicks of a link in the last 30 days. */
export function readClicks({ adapter, context }: Server, link: LinkReference): Promise<ServiceResult<Clicks>> {
  return operate(async () => {
    if (!adapter.clicks) throw failed('cannot_list');
    return adapter.clicks(link, context);
  });
}

async function operate<T>(operation: () => Promise<T>): Promise<ServiceResult<T>> {
  try {
    return { value: await operation() };
  } catch (error) {
    if (error instanceof OperationFailed) return error.failure;
    if (!(error instanceof NoAnswer)) return serviceFailure('not_understood');
    return serviceFailure(error.code === 'redirected' ? 'redirected' : 'unreachable');
  }
}

async function read({ adapter, context }: Server, link: LinkReference): Promise<ListedLink | null> {
  const found = await adapter.read(link, context);
  return found && sameCode(found, link);
}

/** Fails if the response contains another link. Some servers convert all codes to lower case. */
function sameCode(found: ListedLink, { shortCode }: LinkReference): ListedLink {
  if (found.shortCode.toLowerCase() === shortCode.toLowerCase()) return found;
  throw failed('not_understood');
}

function unlessGone(error: unknown, problems: ServiceFailure['problem'][] = ['gone']): null {
  if (error instanceof OperationFailed && problems.includes(error.failure.problem)) return null;
  throw error;
}
