import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'

/** The bytes below MQTT: a TCP socket or a WebSocket. */
export interface Transport {
  write(bytes: Buffer): void
  /** Answers a WebSocket's ping: the last one answers those before it (RFC 6455, 5.5.3). */
  pong(data: Buffer): void
  pause(): void
  resume(): void
  /** Sends the written bytes, then closes; a peer that does not close is cut after a while. */
  end(): void
  destroy(): void
  /** Bytes written that the peer has not taken. */
  readonly waitingBytes: number
}

/** The events of a transport for its connection. */
export interface TransportEvents {
  received(bytes: Buffer): void
  /** A WebSocket's ping, to be answered by `pong`. */
  pinged(data: Buffer): void
  /** Once, after the last bytes. */
  closed(): void
}

/** Time limit of a peer to end its side, in ms. */
const endMsMax = 2_000
/** Finds peers that vanished without a word, also those without keep-alive. */
const tcpProbeMs = 60_000

export function openTcpTransport(socket: Socket, events: Omit<TransportEvents, 'pinged'>): Transport {
  socket.setNoDelay(true)
  socket.setKeepAlive(true, tcpProbeMs)
  socket.on('data', (bytes: Buffer) => events.received(bytes))
  socket.on('error', destroySocket)
  socket.on('close', () => events.closed())
  return new TcpTransport(socket)
}

function destroySocket(this: Socket): void {
  this.destroy()
}

/** A class, because there are thousands of them: functions for each would take a kilobyte. */
class TcpTransport implements Transport {
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  get waitingBytes(): number {
    return this.#socket.writableLength
  }

  write(bytes: Buffer): void {
    if (this.#socket.writable) this.#socket.write(bytes)
  }

  pong(): void {}

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  end(): void {
    this.#socket.end()
    // Later bytes are unwanted, but unread ones would turn the close into a reset.
    this.#socket.resume()
    setTimeout(() => this.#socket.destroy(), endMsMax).unref()
  }

  destroy(): void {
    this.#socket.destroy()
  }
}

/** The WebSocket must come from a server with `autoPong: false`: its pings are answered here. */
export function openWebSocketTransport(ws: WebSocket, events: TransportEvents): Transport {
  const end = (code: number, why?: string) => {
    ws.resume()
    ws.close(code, why)
    setTimeout(() => ws.terminate(), endMsMax).unref()
  }
  let isBroken = false
  ws.on('message', (data, isBinary) => {
    if (isBroken) return
    if (isBinary) return events.received(data as Buffer)
    // MQTT uses binary frames only; nothing after another kind is read (MQTT-6.0.0-1).
    isBroken = true
    end(1003, 'binary frames only')
  })
  ws.on('ping', (data) => events.pinged(data))
  ws.on('error', () => ws.terminate())
  ws.on('close', () => events.closed())
  return {
    write: (bytes) => {
      if (ws.readyState === ws.OPEN) ws.send(bytes)
    },
    pong: (data) => {
      if (ws.readyState === ws.OPEN) ws.pong(data)
    },
    pause: () => ws.pause(),
    resume: () => ws.resume(),
    end: () => end(1000),
    destroy: () => ws.terminate(),
    get waitingBytes() {
      return ws.bufferedAmount
    },
  }
}
