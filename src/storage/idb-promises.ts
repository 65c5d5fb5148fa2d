/*
 * Promises for IndexedDB. The browser commits a transaction as soon as it has no open requests, so code in a transaction may
 * await only requests of that transaction.
 */

/** Returns the result of a request. Rejects with the request's error. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when a transaction is committed. Rejects with the error that aborted it. */
export function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? aborted());
  });
}

/** Returns the error of work that was aborted from outside. */
export function aborted(): DOMException {
  return new DOMException('Aborted.', 'AbortError');
}

/** Rolls back a transaction, if it has not ended. */
export function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // The transaction has ended.
  }
}
