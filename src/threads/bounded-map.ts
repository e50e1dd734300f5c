import { LRUCache } from 'lru-cache'

/**
 * A map of at most `entries` entries; one more drops the entry that was used longest ago. `get` and `set` are uses, `peek`
 * and `has` are not.
 *
 * Counted by size: `max` of lru-cache would allocate the memory of all entries at once, 28 bytes for each.
 */
export class BoundedMap<K extends string, V extends object | number | true> extends LRUCache<K, V> {
  constructor(entries: number) {
    super({ maxSize: entries, sizeCalculation: () => 1 })
  }
}
