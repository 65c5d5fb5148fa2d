import type { Connection, Link, Request } from '../../../../src/queue/types.ts';
import type { QueueRecord } from '../../../../src/storage/database.ts';

/** Internals of `fake-indexeddb`. */
interface RawDatabases {
  _databases: Map<
    string,
    { rawObjectStores: Map<string, { records: { values: () => Iterable<{ value: unknown }> } }> }
  >;
}

/** Reads the current disk contents without the database's own calls, so that no gate is passed. */
export function diskNow() {
  const raw = (indexedDB as unknown as RawDatabases)._databases.get('terse');
  const all = <T>(store: string) => {
    const records = raw?.rawObjectStores.get(store)?.records.values() ?? [];
    return [...records].map(({ value }) => value as T);
  };
  return {
    connections: all<Connection>('connections'),
    queues: all<QueueRecord>('queues'),
    requests: all<Request>('requests'),
    links: all<Link>('links'),
    /** All contents as text for searching. */
    text: () => JSON.stringify([...(raw?.rawObjectStores.keys() ?? [])].map((store) => all(store))),
  };
}
