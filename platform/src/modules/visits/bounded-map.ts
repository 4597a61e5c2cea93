/** A map that forgets what it learnt first once it knows `max` things: a cache strangers cannot make grow. */
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
