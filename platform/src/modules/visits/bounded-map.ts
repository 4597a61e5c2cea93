/** A map of at most `max` entries that drops the oldest: a cache that strangers cannot make grow. */
export class BoundedMap<Key, Value> {
  readonly #max: number
  readonly #map = new Map<Key, Value>()

  constructor(max: number) {
    this.#max = max
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key)
  }

  set(key: Key, value: Value): void {
    this.#map.delete(key)
    this.#map.set(key, value)
    if (this.#map.size <= this.#max) return
    const [oldest] = this.#map.keys()
    this.#map.delete(oldest as Key)
  }

  delete(key: Key): void {
    this.#map.delete(key)
  }
}
