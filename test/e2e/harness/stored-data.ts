/** Script that reads all records of the extension's database by store, and all values in `storage.local`. */
const READ = `(async () => {
  const opening = indexedDB.open('terse-data');
  await new Promise((resolve, reject) => Object.assign(opening, { onsuccess: resolve, onerror: reject }));
  const database = opening.result;
  // One transaction, because a request may become a link between two.
  const transaction = database.transaction([...database.objectStoreNames]);
  const reading = [...database.objectStoreNames].map((name) => [name, transaction.objectStore(name).getAll()]);
  await Promise.all(reading.map(([, all]) => new Promise((resolve) => Object.assign(all, { onsuccess: resolve }))));
  database.close();
  const stores = Object.fromEntries(reading.map(([name, { result }]) => [name, result]));
  return { ...stores, local: Object.values(await chrome.storage.local.get()) };
})()`;

/** Reads everything that the extension has stored, through any of its pages. */
export async function storedData(page: {
  evaluate(expression: string): Promise<unknown>;
}): Promise<Record<string, unknown[]>> {
  return (await page.evaluate(READ)) as Record<string, unknown[]>;
}
