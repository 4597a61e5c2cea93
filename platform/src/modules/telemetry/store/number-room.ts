/** Numbers of a room: some ten chunks of an hour at one sample a second. */
const numbersPerRoom = 64 * 1024
/** Rooms that wait for the next reader. */
const roomsKeptMax = 8

/**
 * Memory for the columns of one chunk after the other. Memory outside the heap that is thrown away after each chunk makes
 * the collector run again and again, in a process whose heap is large.
 */
export class NumberRoom {
  readonly #numbers = new Float64Array(numbersPerRoom)
  #used = 0

  /** Room for `count` numbers with any content; beyond its size, memory of its own. */
  take(count: number): Float64Array<ArrayBuffer> {
    if (this.#used + count > numbersPerRoom) return new Float64Array(count)
    const taken = this.#numbers.subarray(this.#used, this.#used + count)
    this.#used += count
    return taken
  }

  /** Everything that was taken is used again. */
  clear(): void {
    this.#used = 0
  }
}

const kept: NumberRoom[] = []

/** A room for a reader, who gives it back. */
export const borrowRoom = (): NumberRoom => kept.pop() ?? new NumberRoom()

/** Takes a room back: the numbers in it are of no use any more. */
export function giveRoomBack(room: NumberRoom): void {
  room.clear()
  if (kept.length < roomsKeptMax) kept.push(room)
}
