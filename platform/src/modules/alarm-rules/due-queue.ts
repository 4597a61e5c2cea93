interface Entry<Item> {
  readonly at: number
  readonly item: Item
}

/** Items by when each is due: adding and taking costs the logarithm of their number, looking at none that is due nothing. */
export class DueQueue<Item> {
  /** A binary heap: an entry is not due after the two at twice its place and one and two more. */
  readonly #heap: Entry<Item>[] = []

  get size(): number {
    return this.#heap.length
  }

  add(at: number, item: Item): void {
    const heap = this.#heap
    const entry = { at, item }
    let place = heap.length
    heap.push(entry)
    while (place > 0) {
      const above = (place - 1) >> 1
      const other = heap[above] as Entry<Item>
      if (other.at <= at) break
      heap[place] = other
      place = above
    }
    heap[place] = entry
  }

  /** Takes the item that is due first; undefined if none is due by `now`. */
  take(now: number): Entry<Item> | undefined {
    const heap = this.#heap
    const [first] = heap
    if (!first || first.at > now) return undefined
    const last = heap.pop() as Entry<Item>
    if (heap.length > 0) this.#sink(last)
    return first
  }

  #sink(entry: Entry<Item>): void {
    const heap = this.#heap
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      const left = heap[below]
      if (!left) break
      const right = heap[below + 1]
      let earlier = left
      if (right && right.at < left.at) {
        earlier = right
        below++
      }
      if (entry.at <= earlier.at) break
      heap[place] = earlier
      place = below
    }
    heap[place] = entry
  }
}
