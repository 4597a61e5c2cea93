import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { hex } from './wire.ts'

/** A client that sends any bytes and shows every packet that comes back as its bytes. */
export class WireClient {
  readonly #write: (bytes: Uint8Array) => void
  readonly #end: () => void
  readonly #destroy: () => void
  #bytes = Buffer.alloc(0)
  #isClosed = false
  #wake: (() => void)[] = []

  private constructor(write: (bytes: Uint8Array) => void, end: () => void, destroy: () => void) {
    this.#write = write
    this.#end = end
    this.#destroy = destroy
  }

  static async openTcp(port: number, localAddress = '127.0.0.1'): Promise<WireClient> {
    const socket: Socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    await once(socket, 'connect')
    const client = new WireClient(
      (bytes) => socket.write(bytes),
      () => socket.end(),
      () => socket.destroy(),
    )
    socket.on('data', (bytes) => client.#received(Buffer.from(bytes)))
    socket.on('error', () => {})
    socket.on('close', () => client.#closed())
    return client
  }

  /** Over a WebSocket that is open. */
  static over(ws: WebSocket): WireClient {
    const client = new WireClient(
      (bytes) => ws.send(bytes),
      () => ws.close(),
      () => ws.terminate(),
    )
    ws.on('message', (data) => client.#received(data as Buffer))
    ws.on('error', () => {})
    ws.on('close', () => client.#closed())
    return client
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  send(...bytes: readonly Uint8Array[]): void {
    this.#write(Buffer.concat(bytes))
  }

  /** The bytes of the next packet. */
  async next(): Promise<string> {
    for (;;) {
      const packet = this.#take()
      if (packet) return hex(packet)
      if (this.#isClosed) throw new Error('the connection closed')
      await this.#change()
    }
  }

  /** The next packets, `count` of them. */
  async take(count: number): Promise<string[]> {
    const packets: string[] = []
    while (packets.length < count) packets.push(await this.next())
    return packets
  }

  /** The remaining packets when the platform has closed the connection. */
  async rest(): Promise<string[]> {
    while (!this.#isClosed) await this.#change()
    const packets: string[] = []
    for (let packet = this.#take(); packet; packet = this.#take()) packets.push(hex(packet))
    return packets
  }

  /** Ends the sending side, and keeps listening. */
  end(): void {
    this.#end()
  }

  destroy(): void {
    this.#destroy()
  }

  #take(): Buffer | undefined {
    let length = 0
    for (let index = 1; index < this.#bytes.length; index++) {
      const byte = this.#bytes[index] as number
      length += (byte & 0x7f) * 128 ** (index - 1)
      if (byte >= 0x80) continue
      const end = index + 1 + length
      if (end > this.#bytes.length) return undefined
      const packet = this.#bytes.subarray(0, end)
      this.#bytes = this.#bytes.subarray(end)
      return packet
    }
    return undefined
  }

  #received(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    this.#changed()
  }

  #closed(): void {
    this.#isClosed = true
    this.#changed()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve))
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }
}
