/** Ranges of whole numbers, each [from, to), in order and separate. */
export class Ranges {
  #ranges: [from: number, to: number][] = []
  #count = 0

  /** The size of all ranges together. */
  get count(): number {
    return this.#count
  }

  /** The first number from 0 on that is in none of them. */
  get firstMissing(): number {
    const first = this.#ranges[0]
    return first?.[0] === 0 ? first[1] : 0
  }

  has(number: number): boolean {
    return this.#ranges.some(([from, to]) => number >= from && number < to)
  }

  add(from: number, to: number): void {
    if (to <= from) return
    let merged: [number, number] = [from, to]
    const apart = this.#ranges.filter((range) => {
      if (range[1] < merged[0] || range[0] > merged[1]) return true
      merged = [Math.min(merged[0], range[0]), Math.max(merged[1], range[1])]
      return false
    })
    const place = apart.findIndex((range) => range[0] > merged[0])
    apart.splice(place < 0 ? apart.length : place, 0, merged)
    this.#ranges = apart
    this.#count = apart.reduce((sum, range) => sum + range[1] - range[0], 0)
  }
}
