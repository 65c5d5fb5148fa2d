/**
 * Keeps a value in a map that holds at most so many: the one kept longest makes room. For what is looked up far more
 * often than it is made, where noting each use, as an LRU cache does, would cost more than to make it once more.
 */
export function keepAtMost<Key, Value>(map: Map<Key, Value>, most: number, key: Key, value: Value): void {
  if (map.size >= most && !map.has(key)) {
    const [oldest] = map.keys();
    map.delete(oldest as Key);
  }
  map.set(key, value);
}
