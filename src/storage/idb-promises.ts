/*
 * Promises for IndexedDB. The browser commits a transaction that has no open database requests. Therefore, code
 * inside a transaction may await only database requests of that transaction.
 */

/** Returns the result of a database request. Rejects with the request's error. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? aborted());
  });
}

/** Returns the error for a transaction that the browser aborted. */
export function aborted(): DOMException {
  return new DOMException('Aborted.', 'AbortError');
}

/** Rolls back a transaction, unless it has already ended. */
export function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {}
}
