const cellsOfPage = 64
/** With them 16,384 cells, 64 kB: more than a tool shows at a time, and little for the 64 streams of an agent. */
const pagesMax = 256

/**
 * The newest values that passed in a stream, by cell: a register, a coil, a byte. Bits of a cell can be known apart. Where
 * there are too many, the page that was begun first is forgotten.
 */
export class KnownValues {
  /** Of each cell which bits are known (above), and the bits. */
  readonly #pages = new Map<number, Uint32Array>()

  know(cell: number, mask: number, bits: number): void {
    const number = Math.floor(cell / cellsOfPage)
    const page = this.#pages.get(number) ?? this.#begin(number)
    const at = cell - number * cellsOfPage
    const before = page[at] ?? 0
    page[at] = (((before >>> 16) | mask) << 16) | (before & 0xffff & ~mask) | (bits & mask)
  }

  /** The bits of `mask`; null where not each of them is known. */
  find(cell: number, mask: number): number | null {
    const number = Math.floor(cell / cellsOfPage)
    const known = this.#pages.get(number)?.[cell - number * cellsOfPage] ?? 0
    return ((known >>> 16) & mask) === mask ? known & mask : null
  }

  #begin(number: number): Uint32Array {
    if (this.#pages.size >= pagesMax) {
      const [first = number] = this.#pages.keys()
      this.#pages.delete(first)
    }
    const page = new Uint32Array(cellsOfPage)
    this.#pages.set(number, page)
    return page
  }
}
