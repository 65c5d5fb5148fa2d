export function addPastSends(database: IDBDatabase): void {
  database.createObjectStore('pastSends');
}

/** Adds an index that finds a link by its connection and short code, which are the values in a service's list. */
export function addLinksByCode(_database: IDBDatabase, transaction: IDBTransaction): void {
  transaction.objectStore('links').createIndex('code', ['connectionId', 'shortCode']);
}

export function addGroups(database: IDBDatabase): void {
  database.createObjectStore('groups', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
}
