import type { Tab } from './browser.ts';

/**
 * Makes copies of the newest link on disk until there are so many, a minute apart, each with an address of its own. A
 * thousand requests a day would take a service ten days; what a link is made of is left to the one that is copied.
 */
export async function fillLinks(page: Tab, count: number): Promise<void> {
  await page.evaluate(`(${copyLinks})(${count})`);
}

/** Runs in the page: it may use nothing from outside itself. */
async function copyLinks(count: number): Promise<void> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await done(indexedDB.open('terse'));
  const store = database.transaction('links', 'readwrite').objectStore('links');
  const [pattern] = await done(store.getAll());
  if (!pattern) throw new Error('There is no link to copy');
  for (let made = 1; made < count; made += 1) {
    const code = `bench${made}`;
    const copy = {
      ...pattern,
      id: crypto.randomUUID(),
      url: `https://www.example.com/articles/${made}?from=bench`,
      title: `Article ${made} of the bench, with a title of an ordinary length`,
      shortUrl: new URL(`/${code}`, pattern.shortUrl).href,
      createdAt: pattern.createdAt - made * 60_000,
      ...('shortCode' in pattern && { shortCode: code }),
    };
    store.put(copy);
  }
  await new Promise((resolve, reject) => {
    store.transaction.oncomplete = resolve;
    store.transaction.onabort = () => reject(store.transaction.error);
  });
  database.close();
}
