/*
 * IndexedDB by promises. Within a transaction nothing but its own requests may be awaited: it is committed as soon as none
 * is left.
 */

/** The result of a request; fails with the request's error. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves once a transaction is committed. Where it was aborted, fails with what ended it. */
export function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? aborted());
  });
}

/** What work fails with that was ended from outside. */
export function aborted(): DOMException {
  return new DOMException('Aborted.', 'AbortError');
}

/** Undoes a transaction, unless it has ended by itself. */
export function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended.
  }
}
