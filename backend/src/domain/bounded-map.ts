/**
 * Adds a value to a map, and removes the oldest value if the map is full. An LRU cache would be slower, because it
 * updates its order on every lookup.
 */
export function limitSize<Key, Value>(map: Map<Key, Value>, most: number, key: Key, value: Value): void {
  if (map.size >= most && !map.has(key)) {
    const [oldest] = map.keys();
    map.delete(oldest as Key);
  }
  map.set(key, value);
}
