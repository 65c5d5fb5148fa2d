/**
 * Adds a value to a map of bounded size; the oldest one makes room. For values that are looked up far more often than made:
 * noting each use, as an LRU cache does, would cost more than making one again.
 */
export function limitSize<Key, Value>(map: Map<Key, Value>, most: number, key: Key, value: Value): void {
  if (map.size >= most && !map.has(key)) {
    const [oldest] = map.keys();
    map.delete(oldest as Key);
  }
  map.set(key, value);
}
