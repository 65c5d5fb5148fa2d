/** All stored data of an extension as plain JSON, from which a test can create the database again. */
export interface DiskDump {
  database: { name: string; version: number; stores: StoreDump[] };
  local: Record<string, unknown>;
}

export interface StoreDump {
  name: string;
  keyPath: string | null;
  indexes: { name: string; keyPath: string; unique: boolean; multiEntry: boolean }[];
  records: { key: IDBValidKey; value: unknown }[];
}

/** The method that both Playwright's pages and the Firefox pages have. */
interface EvaluatingPage {
  evaluate(expression: string): Promise<unknown>;
}

/** Reads all stored data through any page of the extension. */
export async function dumpDisk(page: EvaluatingPage): Promise<DiskDump> {
  return (await page.evaluate(`(${readEverything})()`)) as DiskDump;
}

/** Playwright sends this function's source to the page, so it cannot use anything outside its body. */
async function readEverything(): Promise<DiskDump> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await done(indexedDB.open('terse-data'));
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
