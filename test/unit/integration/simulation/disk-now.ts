import type { Link, Request } from '../../../../src/queue/types.ts';
import type { QueueRecord } from '../../../../src/storage/database.ts';

interface RawDatabases {
  _databases: Map<
    string,
    { rawObjectStores: Map<string, { records: { values: () => Iterable<{ value: unknown }> } }> }
  >;
}

/** Reads the disk contents without database calls, because the tests count database calls. */
export function diskNow() {
  const raw = (indexedDB as unknown as RawDatabases)._databases.get('terse-data');
  const all = <T>(store: string) => {
    const records = raw?.rawObjectStores.get(store)?.records.values() ?? [];
    return [...records].map(({ value }) => value as T);
  };
  const queues = all<QueueRecord>('queues');
  return {
    queues,
    connections: queues.map(({ connection }) => connection),
    requests: all<Request>('requests'),
    links: all<Link>('links'),
    text: () => JSON.stringify([...(raw?.rawObjectStores.keys() ?? [])].map((store) => all(store))),
  };
}
