import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { generate, type Packet, parser } from 'mqtt-packet'

/** An MQTT client that sends any bytes and shows every packet that comes back. */
export class RawClient {
  readonly packets: Packet[] = []
  isClosed = false
  readonly socket: Socket
  readonly version: number
  readonly #waiting: (() => void)[] = []

  private constructor(socket: Socket, version: number) {
    this.socket = socket
    this.version = version
    const reader = parser({ protocolVersion: version as 4 | 5 })
    reader.on('packet', (packet) => {
      this.packets.push(packet)
      this.#wake()
    })
    socket.on('data', (bytes: Buffer) => reader.parse(bytes))
    socket.on('error', () => {})
    socket.on('close', () => {
      this.isClosed = true
      this.#wake()
    })
  }

  static async open(port: number, version = 4, localAddress?: string): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', ...(localAddress ? { localAddress } : {}) })
    await once(socket, 'connect')
    return new RawClient(socket, version)
  }

  /** Opens and logs in; answers with the CONNACK as the first packet. */
  static async login(
    port: number,
    machine: { code: string; secret: string },
    options: { version?: number; connect?: object; localAddress?: string } = {},
  ): Promise<RawClient> {
    const client = await RawClient.open(port, options.version ?? 4, options.localAddress)
    client.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: client.version,
      clean: true,
      clientId: machine.code,
      keepalive: 0,
      username: machine.code,
      password: Buffer.from(machine.secret),
      ...options.connect,
    } as Packet)
    await client.next('connack')
    return client
  }

  send(packet: Packet): void {
    this.socket.write(generate(packet, { protocolVersion: this.version as 4 | 5 }))
  }

  sendBytes(bytes: Buffer | readonly number[]): void {
    this.socket.write(Buffer.from(bytes))
  }

  publish(
    topic: string,
    payload: string | Buffer,
    more: { qos?: 0 | 1 | 2; messageId?: number; dup?: boolean } = {},
  ): void {
    const { qos = 1, messageId = 1, dup = false } = more
    this.send({ cmd: 'publish', topic, payload, qos, messageId, dup, retain: false })
  }

  /** Takes the first packet of a kind out of those that came, waiting for it. */
  async next<Cmd extends Packet['cmd']>(cmd: Cmd): Promise<Extract<Packet, { cmd: Cmd }>> {
    for (;;) {
      const index = this.packets.findIndex((packet) => packet.cmd === cmd)
      if (index >= 0) return this.packets.splice(index, 1)[0] as Extract<Packet, { cmd: Cmd }>
      if (this.isClosed) throw new Error(`the connection closed before a ${cmd}`)
      await this.#change()
    }
  }

  /** Resolves when the platform has closed the connection. */
  async closed(): Promise<void> {
    while (!this.isClosed) await this.#change()
  }

  destroy(): void {
    this.socket.destroy()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
