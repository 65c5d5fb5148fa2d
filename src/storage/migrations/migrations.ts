/** Makes room for the sends of keys that no connection has any more. */
export function addPastSends(database: IDBDatabase): void {
  database.createObjectStore('pastSends');
}

/** Lets a link be found by its short code on its connection: that is how a service's list names it. */
export function addLinksByCode(_database: IDBDatabase, transaction: IDBTransaction): void {
  transaction.objectStore('links').createIndex('code', ['connectionId', 'shortCode']);
}

/** Makes room for what was ordered together. */
export function addGroups(database: IDBDatabase): void {
  database.createObjectStore('groups', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
}
