import type { Duplex } from 'node:stream'
import { portLimits } from './ports.ts'

/** One way to the other end of a stream, which may break at any time. */
export interface StreamLine {
  /** False: no more until `drained`. */
  data(bytes: Buffer): boolean
  got(position: number): void
  end(): void
}

export interface ResumableStreamEvents {
  /**
   * Both ends have sent their end, and each reader has taken all. It is kept for a while like one without a line: if the
   * line breaks now, the other end has not heard yet that its last bytes were taken, and comes back to ask.
   */
  onDone(): void
  /** The connection broke, or what came could not be part of this stream. The other end has to be told. */
  onBroken(error: Error): void
}

/** The reader's progress is told each time it has taken so much. */
const tellBytes = 32 * 1024
/** A window grows where its reader takes all of it within this time. */
const growMs = 1_000

/**
 * One end of a TCP connection that goes on over another line when one breaks, from the last byte that came. Positions
 * count bytes from the beginning of a direction; its end counts as one more. Bytes are kept until the reader of the other
 * end has taken them; as long as many are kept, the connection is not read.
 */
export class ResumableStream {
  readonly #socket: Duplex
  readonly #events: ResumableStreamEvents
  readonly #now: () => number
  #line: StreamLine | undefined
  /** Sent or to be sent, and not taken by the other end's reader, from position `#taken` on. */
  readonly #kept: Buffer[] = []
  #taken = 0
  /** Read from the connection. */
  #read = 0
  #hasEnded = false
  /** Given to the line: all kept before place `#next`. */
  #sent = 0
  #next = 0
  #isLineFull = false
  #window: number = portLimits.windowBytesMin
  #growth: { readonly from: number; readonly at: number }
  #received = 0
  #hasReceivedEnd = false
  /** Taken by the reader here, and how much of it was told. */
  #delivered = 0
  #told = 0
  #isDone = false
  #isOver = false

  /** `socket` allows half-open connections; `now` in milliseconds, never backwards. */
  constructor(socket: Duplex, events: ResumableStreamEvents, now: () => number) {
    this.#socket = socket
    this.#events = events
    this.#now = now
    this.#growth = { from: 0, at: now() }
    socket.on('data', (bytes: Buffer) => this.#keep(bytes))
    socket.on('end', () => {
      this.#hasEnded = true
      this.#send()
    })
    socket.on('error', (error) => this.#break(error))
    socket.on('close', () => {
      if (!this.#hasEnded || !this.#hasReceivedEnd) this.#break(new Error('the connection closed'))
    })
  }

  /** Position of the next byte that the other end has to send. */
  get received(): number {
    return this.#received
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * Goes on over a line from the position that the other end asks for. False where that is not kept, or was never sent:
   * the stream cannot go on.
   */
  attach(line: StreamLine, position: number): boolean {
    if (this.#isOver || position < this.#taken || position > this.#read + (this.#hasEnded ? 1 : 0))
      return false
    this.#line = line
    this.#goBack(position)
    this.#isLineFull = false
    // The line before may have lost it.
    this.#told = 0
    this.#tellGot(true)
    this.#send()
    return true
  }

  /** The line broke: bytes are kept for another. */
  detach(): void {
    this.#line = undefined
  }

  /** The line takes bytes again. */
  drained(): void {
    this.#isLineFull = false
    this.#send()
  }

  receive(bytes: Buffer): void {
    if (this.#isOver) return
    if (this.#hasReceivedEnd) {
      this.#break(new Error('bytes after the end'))
      return
    }
    this.#received += bytes.length
    if (this.#received - this.#delivered > portLimits.windowBytesMax) {
      this.#break(new Error('more than its window'))
      return
    }
    this.#socket.write(bytes, (error) => {
      if (error) return
      this.#delivered += bytes.length
      this.#tellGot()
    })
  }

  receiveEnd(): void {
    if (this.#isOver) return
    if (this.#hasReceivedEnd) {
      this.#break(new Error('a second end'))
      return
    }
    this.#hasReceivedEnd = true
    this.#received++
    this.#socket.end(() => {
      this.#delivered++
      this.#tellGot()
      this.#finish()
    })
  }

  receiveGot(position: number): void {
    if (this.#isOver) return
    if (position > this.#sent) {
      this.#break(new Error('more was taken than sent'))
      return
    }
    if (position <= this.#taken) return
    this.#forget(position)
    this.#grow()
    if (this.#read - this.#taken < this.#window) this.#socket.resume()
    this.#send()
    this.#finish()
  }

  /** Ends it here at once; the other end has to be told. */
  close(): void {
    this.#isOver = true
    this.#line = undefined
    this.#kept.length = 0
    this.#socket.destroy()
  }

  #keep(bytes: Buffer): void {
    if (this.#isOver) return
    for (let from = 0; from < bytes.length; from += portLimits.frameBytesMax)
      this.#kept.push(bytes.subarray(from, from + portLimits.frameBytesMax))
    this.#read += bytes.length
    if (this.#read - this.#taken >= this.#window) this.#socket.pause()
    this.#send()
  }

  #send(): void {
    while (this.#line && !this.#isLineFull) {
      const bytes = this.#kept[this.#next]
      if (!bytes) break
      // The last piece that was read may reach beyond the window, and the other end allows no more than the most.
      if (this.#sent + bytes.length - this.#taken > portLimits.windowBytesMax) return
      this.#next++
      this.#sent += bytes.length
      this.#isLineFull = !this.#line.data(bytes)
    }
    if (!this.#line || !this.#hasEnded || this.#sent !== this.#read) return
    this.#sent++
    this.#line.end()
  }

  /** Sends from a position on again. */
  #goBack(position: number): void {
    this.#sent = position
    this.#next = 0
    let left = position - this.#taken
    for (let bytes = this.#kept[0]; bytes && left > 0; bytes = this.#kept[this.#next]) {
      if (bytes.length > left) this.#kept.splice(this.#next, 1, bytes.subarray(0, left), bytes.subarray(left))
      left -= Math.min(left, bytes.length)
      this.#next++
    }
  }

  #forget(position: number): void {
    let left = position - this.#taken
    this.#taken = position
    while (left > 0) {
      const first = this.#kept[0]
      // The end has no bytes.
      if (!first) return
      if (first.length > left) {
        this.#kept[0] = first.subarray(left)
        return
      }
      left -= first.length
      this.#kept.shift()
      this.#next--
    }
  }

  #grow(): void {
    const taken = this.#taken - this.#growth.from
    if (taken < this.#window) return
    const now = this.#now()
    if (now - this.#growth.at <= growMs) this.#window = Math.min(2 * this.#window, portLimits.windowBytesMax)
    this.#growth = { from: this.#taken, at: now }
  }

  #tellGot(isDue = false): void {
    if (!this.#line || this.#delivered === this.#told) return
    const isEnd = this.#hasReceivedEnd && this.#delivered === this.#received
    if (this.#delivered - this.#told < tellBytes && !isEnd && !isDue) return
    this.#told = this.#delivered
    this.#line.got(this.#delivered)
  }

  #finish(): void {
    const isTaken = this.#hasEnded && this.#taken === this.#read + 1
    const isDelivered = this.#hasReceivedEnd && this.#delivered === this.#received
    if (this.#isDone || !isTaken || !isDelivered) return
    this.#isDone = true
    this.#events.onDone()
  }

  #break(error: Error): void {
    if (this.#isOver) return
    this.close()
    this.#events.onBroken(error)
  }
}
