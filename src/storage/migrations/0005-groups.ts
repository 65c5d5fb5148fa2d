/** Makes room for what was ordered together. */
export function addGroups(database: IDBDatabase): void {
  database.createObjectStore('groups', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
}
