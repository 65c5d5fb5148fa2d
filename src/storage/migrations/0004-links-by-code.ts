/** Lets a link be found by its short code on its connection: that is how a service's list names it. */
export function addLinksByCode(_database: IDBDatabase, transaction: IDBTransaction): void {
  transaction.objectStore('links').createIndex('code', ['connectionId', 'shortCode']);
}
