import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { generate, type IConnectPacket, type IPublishPacket, parser } from 'mqtt-packet'

/** A reason code for the PUBACK; `silent`: none comes, `drop`: the connection ends. */
type PublishAnswer = number | 'silent' | 'drop'

/** A broker that does what a test tells it, which no real one does. */
export class ScriptedBroker {
  readonly published: { readonly topic: string; readonly payload: string; readonly of: number }[] = []
  readonly connects: IConnectPacket[] = []
  /** Properties of the CONNACK of MQTT 5. */
  properties: Record<string, number> = {}
  pings = 0
  answer: (place: number) => PublishAnswer | Promise<PublishAnswer> = () => 0
  /** Takes connections, and answers nothing. */
  isMute = false
  /** Instead of MQTT. */
  speaks: Buffer | undefined
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#serve(socket))

  async start(port: number): Promise<this> {
    await once(this.#server.listen(port, '127.0.0.1'), 'listening')
    return this
  }

  get url(): string {
    return `mqtt://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get open(): number {
    return this.#sockets.size
  }

  /** To everyone who is connected. */
  write(bytes: Buffer): void {
    for (const socket of this.#sockets) socket.write(bytes)
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => undefined)
    if (this.speaks) socket.write(this.speaks)
    if (this.isMute || this.speaks) {
      socket.resume()
      return
    }
    const reading = parser()
    let protocolVersion = 4
    let turn = Promise.resolve()
    socket.on('data', (chunk: Buffer) => reading.parse(chunk))
    reading.on('packet', (packet) => {
      if (packet.cmd === 'connect') {
        protocolVersion = packet.protocolVersion ?? 4
        this.connects.push(packet)
        const { properties } = this
        const accepted = { cmd: 'connack', sessionPresent: false } as const
        const code = protocolVersion === 5 ? { reasonCode: 0, properties } : { returnCode: 0 }
        socket.write(generate({ ...accepted, ...code }, { protocolVersion }))
      } else if (packet.cmd === 'subscribe') {
        const { messageId = 0 } = packet
        socket.write(generate({ cmd: 'suback', messageId, granted: [1] }, { protocolVersion }))
      } else if (packet.cmd === 'pingreq') {
        this.pings++
        socket.write(generate({ cmd: 'pingresp' }))
      } else if (packet.cmd === 'publish')
        turn = turn.then(() => this.#acknowledge(socket, packet, protocolVersion))
    })
  }

  async #acknowledge(socket: Socket, packet: IPublishPacket, protocolVersion: number): Promise<void> {
    const { topic, payload, messageId = 0 } = packet
    this.published.push({ topic, payload: payload.toString(), of: this.connects.length })
    const answer = await this.answer(this.published.length)
    if (answer === 'drop') socket.destroy()
    else if (answer !== 'silent')
      socket.write(generate({ cmd: 'puback', messageId, reasonCode: answer }, { protocolVersion }))
  }
}
