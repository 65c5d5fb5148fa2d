/**
 * Adds a value to a map and removes the oldest one if the map is full. An LRU cache would update its order at every
 * lookup, which costs more than creating a value again.
 */
export function limitSize<Key, Value>(map: Map<Key, Value>, most: number, key: Key, value: Value): void {
  if (map.size >= most && !map.has(key)) {
    const [oldest] = map.keys();
    map.delete(oldest as Key);
  }
  map.set(key, value);
}
