/** Everything an extension keeps, as plain JSON: what a test needs to make the same database again. */
export interface DiskDump {
  database: { name: string; version: number; stores: StoreDump[] };
  /** `storage.local`. */
  local: Record<string, unknown>;
}

export interface StoreDump {
  name: string;
  keyPath: string | null;
  indexes: { name: string; keyPath: string; unique: boolean; multiEntry: boolean }[];
  records: { key: IDBValidKey; value: unknown }[];
}

/** What both drivers' pages can do. */
interface EvaluatingPage {
  evaluate(expression: string): Promise<unknown>;
}

/** Reads everything the extension keeps, through a page of its own (of any version: the page need not know the format). */
export async function dumpDisk(page: EvaluatingPage): Promise<DiskDump> {
  return (await page.evaluate(`(${readEverything})()`)) as DiskDump;
}

/** Runs in the page: it may use nothing from outside itself. */
async function readEverything(): Promise<DiskDump> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await done(indexedDB.open('terse'));
  const names = [...database.objectStoreNames];
  const stores: StoreDump[] = [];
  const transaction = names.length > 0 ? database.transaction(names) : null;
  for (const name of names) {
    const store = (transaction as IDBTransaction).objectStore(name);
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    stores.push({
      name,
      keyPath: store.keyPath as string | null,
      indexes: [...store.indexNames].map((index) => {
        const { keyPath, unique, multiEntry } = store.index(index);
        return { name: index, keyPath: keyPath as string, unique, multiEntry };
      }),
      records: keys.map((key, position) => ({ key, value: values[position] })),
    });
  }
  const { name, version } = database;
  database.close();
  return { database: { name, version, stores }, local: await chrome.storage.local.get() };
}
