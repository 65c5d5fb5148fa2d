/** Adds a store for the sends of API keys that were removed. */
export function addPastSends(database: IDBDatabase): void {
  database.createObjectStore('pastSends');
}

/** Adds an index that finds a link by its connection and short code, as a service's list names it. */
export function addLinksByCode(_database: IDBDatabase, transaction: IDBTransaction): void {
  transaction.objectStore('links').createIndex('code', ['connectionId', 'shortCode']);
}

/** Adds a store for groups of requests. */
export function addGroups(database: IDBDatabase): void {
  database.createObjectStore('groups', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
}
