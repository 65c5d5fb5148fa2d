import { computed } from '@preact/signals';
import { createPageStore, type PageDeps, together } from '../../components/page-store.ts';
import { storedData } from '../../components/stored-data.ts';
import { isStuck } from '../../queue/sending.ts';
import type { VisibleQueues } from '../../queue/types.ts';
import { onLinksChanged } from '../../storage/database.ts';

interface QueueStart {
  view: VisibleQueues;
  /** Id of the bulk list that the page shows. Null if the page shows all requests. */
  listId: string | null;
  /** The bulk list and its links. Null if there is no such list. */
  list: Awaited<ReturnType<PageDeps['readList']>>;
}

export type QueueStore = ReturnType<typeof createQueueStore>;

/** Creates the store of the queue page, which shows the unfinished requests of all connections or of one bulk list. */
export function createQueueStore(deps: PageDeps, { view, listId, list: first }: QueueStart) {
  const page = createPageStore(deps, view);
  const list = storedData(first, async () => (listId === null ? null : deps.readList(listId)));

  /** Progress of the bulk list. Requests that need the user come first, and the others in the order of the list. */
  const progress = computed(() => {
    const shown = list.value.value;
    if (!shown) return null;
    const { ids } = shown.list;
    const linkById = new Map(shown.links.map((link) => [link.id, link]));
    const requestById = new Map(page.requests.value.map((one) => [one.request.id, one]));
    const links = ids.flatMap((id) => linkById.get(id) ?? []);
    const requests = ids.flatMap((id) => (linkById.has(id) ? [] : (requestById.get(id) ?? [])));
    const stuck = requests.filter(({ request }) => isStuck(request));
    const moving = requests.filter(({ request }) => !isStuck(request));
    return {
      links,
      requests: [...stuck, ...moving],
      /** Requests that have not been sent and can be canceled. */
      waiting: moving.filter(({ request }) => request.state !== 'sending'),
      hasEnded: moving.length === 0,
      /** Number of URLs that were canceled, or whose links were deleted. */
      gone: ids.length - links.length - requests.length,
    };
  });

  function start(): () => void {
    return together(page.start(), ...(listId === null ? [] : [list.follow(onLinksChanged)]));
  }

  return { ...page, start, listId, progress };
}
