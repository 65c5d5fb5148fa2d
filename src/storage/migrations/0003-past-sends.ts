/** Makes room for the sends of keys that no connection has any more. */
export function addPastSends(database: IDBDatabase): void {
  database.createObjectStore('pastSends');
}
