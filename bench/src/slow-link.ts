import { connect, createServer, type Socket } from 'node:net'

/** A line between two places, the same in both directions. */
export interface LinkSpeed {
  /** Capacity in each direction, for all connections together. */
  readonly bytesPerS: number
  /** Delay of a byte in one direction. */
  readonly delayMs: number
}

/** Bytes travel in packets: as on a wire, a large write does not block the next connection. */
const packetBytes = 1_448
/** Queue of a router: a sender has to wait once it holds this much. */
const queueMsMax = 50
const tickMs = 1
/** The most bytes that wait for a receiver that does not read. */
const receiverBytesMax = 256 * 1024

interface Packet {
  readonly from: Socket
  readonly to: Socket
  /** Undefined: the sender's end. */
  readonly bytes: Buffer | undefined
  readonly arrivesAt: number
}

/** One direction: packets leave one after the other at the link's rate, and arrive after its delay, in order. */
class LinkDirection {
  readonly #speed: LinkSpeed
  readonly #underWay: Packet[] = []
  readonly #waiting = new Set<Socket>()
  #freeAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(speed: LinkSpeed) {
    this.#speed = speed
  }

  send(from: Socket, to: Socket, data: Buffer): void {
    const { bytesPerS, delayMs } = this.#speed
    const now = performance.now()
    this.#freeAt = Math.max(this.#freeAt, now)
    for (let at = 0; at < data.length; at += packetBytes) {
      const bytes = data.subarray(at, at + packetBytes)
      this.#freeAt += (bytes.length * 1_000) / bytesPerS
      this.#underWay.push({ from, to, bytes, arrivesAt: this.#freeAt + delayMs })
    }
    if (this.#freeAt - now > queueMsMax) {
      this.#waiting.add(from)
      from.pause()
    }
    this.#timer ??= setInterval(() => this.#tick(), tickMs)
  }

  end(from: Socket, to: Socket): void {
    const arrivesAt = Math.max(this.#freeAt, performance.now()) + this.#speed.delayMs
    this.#underWay.push({ from, to, bytes: undefined, arrivesAt })
    this.#timer ??= setInterval(() => this.#tick(), tickMs)
  }

  #tick(): void {
    const now = performance.now()
    let arrived = 0
    for (const { from, to, bytes, arrivesAt } of this.#underWay) {
      if (arrivesAt > now) break
      arrived++
      if (bytes === undefined) to.end()
      else if (!to.destroyed) to.write(bytes)
      if (to.writableLength > receiverBytesMax && !this.#waiting.has(from)) this.#stall(from, to)
    }
    this.#underWay.splice(0, arrived)
    if (this.#freeAt - now <= queueMsMax) {
      for (const socket of this.#waiting) socket.resume()
      this.#waiting.clear()
    }
    if (this.#underWay.length > 0 || this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #stall(from: Socket, to: Socket): void {
    from.pause()
    to.once('drain', () => from.resume())
  }
}

/** Listens on a free loopback port and joins each connection to `toPort` over one link of that speed. */
export async function startSlowLink(toPort: number, speed: LinkSpeed): Promise<number> {
  const up = new LinkDirection(speed)
  const down = new LinkDirection(speed)
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port: toPort, noDelay: true })
    const join = (from: Socket, to: Socket, direction: LinkDirection) => {
      from.on('data', (data: Buffer) => direction.send(from, to, data))
      from.on('close', () => direction.end(from, to))
      from.on('error', () => from.destroy())
    }
    join(near, far, up)
    join(far, near, down)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return address.port
}
