import {
  generate,
  type IConnackPacket,
  type IConnectPacket,
  type IPublishPacket,
  type Packet,
  parser,
} from 'mqtt-packet'
import { startDeadline } from '../../kernel/deadline.ts'
import {
  type Connection,
  type OpenedSocket,
  OutgoingError,
  toOutgoingError,
} from '../../kernel/outgoing-http/index.ts'
import { type BrokerRefusal, readRefusal } from './mqtt-reasons.ts'

/** A broker sends us acknowledgements, and commands where we listen, which are short. */
const packetBytesMax = 65_536
/** Acknowledgements of commands that a broker does not read. */
const unreadBytesMax = 4 * 1024 * 1024
/** Messages on their way that the broker has not acknowledged. */
const windowMax = 100
/** A connection that ends has so long to say so. */
const goodbyeMs = 1_000

export interface MqttMessage {
  readonly topic: string
  readonly payload: Buffer
}

/** The broker ended the connection, or did not begin it, and said why. */
export class RefusedByBroker extends Error {
  override name = 'RefusedByBroker'
  readonly refusal: BrokerRefusal

  constructor(refusal: BrokerRefusal) {
    super(refusal.detail)
    this.refusal = refusal
  }
}

interface SignInOptions {
  readonly signInMs: number
  readonly patienceMs: number
  readonly signal?: AbortSignal | undefined
  /** Messages that are listened for; a broker that does not let us listen gets rows all the same. */
  readonly listen?: Listening | undefined
}

interface Listening {
  readonly topic: string
  take(message: MqttMessage): void
}

/** The only answer of its kind that is due. */
interface Due {
  readonly cmd: 'suback' | 'pingresp'
  readonly settle: PromiseWithResolvers<void>
}

/** Messages that are published together. */
interface Turn {
  readonly messages: readonly MqttMessage[]
  next: number
  refusal: BrokerRefusal | undefined
  readonly settle: PromiseWithResolvers<BrokerRefusal | undefined>
}

/** A session of ours with somebody's broker, which begins clean and publishes at QoS 1. */
export class MqttConnection {
  readonly #opened: OpenedSocket
  readonly #patienceMs: number
  readonly #version: number
  readonly #reader: PacketReader
  readonly #inFlight = new Set<number>()
  readonly #signedIn = Promise.withResolvers<IConnackPacket>()
  readonly #listen: Listening | undefined
  #turn: Turn | undefined
  #due: Due | undefined
  #lastId = 0
  #window = windowMax
  #bytesMax = Number.POSITIVE_INFINITY
  #keepAliveMs: number
  #callOff: (() => void) | undefined
  #isOpen = true
  #failure: unknown
  #isSignedIn = false

  private constructor(
    opened: OpenedSocket,
    packet: IConnectPacket,
    { patienceMs, listen }: Pick<SignInOptions, 'patienceMs' | 'listen'>,
  ) {
    this.#opened = opened
    this.#patienceMs = patienceMs
    this.#listen = listen
    this.#version = packet.protocolVersion ?? 4
    this.#keepAliveMs = (packet.keepalive ?? 0) * 1_000
    this.#reader = new PacketReader(this.#version, listen !== undefined)
    const { socket } = opened
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('drain', () => this.#fill())
    socket.on('error', (error) => this.fail(toOutgoingError(error, opened.connection)))
    socket.on('close', () => this.fail(new OutgoingError('reset', { connection: opened.connection })))
  }

  /**
   * Signs in within `signInMs`. Later on, `patienceMs` is the time without an acknowledgement while one is due.
   * @throws OutgoingError, RefusedByBroker, or the reason of the signal
   */
  static async open(
    opened: OpenedSocket,
    packet: IConnectPacket,
    { signInMs, signal, ...options }: SignInOptions,
  ): Promise<MqttConnection> {
    const connection = new MqttConnection(opened, packet, options)
    const withdraw = () => connection.fail(signal?.reason)
    signal?.addEventListener('abort', withdraw)
    connection.#startDeadline(signInMs)
    try {
      connection.#write(packet)
      connection.#begin(await connection.#signedIn.promise)
      if (options.listen) await connection.#subscribe(options.listen.topic)
    } finally {
      connection.#callOff?.()
      signal?.removeEventListener('abort', withdraw)
    }
    return connection
  }

  get connection(): Connection {
    return this.#opened.connection
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Why it is open no longer. */
  get failure(): unknown {
    return this.#failure
  }

  /** The broker ends a connection without a packet for longer. */
  get keepAliveMs(): number {
    return this.#keepAliveMs
  }

  /**
   * Publishes messages in their order. Answers when the broker has acknowledged each, with the first refusal, after which
   * no more are sent.
   * @throws OutgoingError, RefusedByBroker, or the reason of the signal, which takes back what the broker does not have
   */
  async publish(messages: readonly MqttMessage[], signal?: AbortSignal): Promise<BrokerRefusal | undefined> {
    const turn: Turn = { messages, next: 0, refusal: undefined, settle: Promise.withResolvers() }
    const withdraw = () => {
      if (turn.next < messages.length || this.#opened.socket.writableLength > 0) this.fail(signal?.reason)
    }
    signal?.throwIfAborted()
    signal?.addEventListener('abort', withdraw)
    this.#turn = turn
    this.#startDeadline(this.#patienceMs)
    try {
      if (!this.#isOpen) throw this.#failure
      this.#fill()
      return await turn.settle.promise
    } finally {
      this.#turn = undefined
      this.#callOff?.()
      signal?.removeEventListener('abort', withdraw)
    }
  }

  /**
   * Tells the broker that we are there. Not while messages are published.
   * @throws OutgoingError, RefusedByBroker
   */
  async ping(): Promise<void> {
    this.#startDeadline(this.#patienceMs)
    try {
      await this.#ask({ cmd: 'pingreq' }, 'pingresp')
    } finally {
      this.#callOff?.()
    }
  }

  /** Says goodbye where the broker reads, after a last message, and closes. */
  end(last?: MqttMessage): void {
    if (!this.#isOpen) return
    const { socket } = this.#opened
    if (last) this.#write(this.#publishPacket(last))
    this.#write({ cmd: 'disconnect' })
    this.#stop(new OutgoingError('reset', { connection: this.connection }))
    socket.end()
    setTimeout(() => socket.destroy(), goodbyeMs).unref()
  }

  fail(error: unknown): void {
    if (!this.#isOpen) return
    this.#stop(error)
    this.#opened.socket.destroy()
  }

  #stop(error: unknown): void {
    this.#isOpen = false
    this.#failure = error
    this.#turn?.settle.reject(error)
    this.#due?.settle.reject(error)
    // A connection that is signed in waits for it no longer.
    this.#signedIn.promise.catch(() => undefined)
    this.#signedIn.reject(error)
  }

  async #subscribe(topic: string): Promise<void> {
    const subscriptions = [{ topic, qos: 1 as const }]
    await this.#ask({ cmd: 'subscribe', messageId: this.#nextId(), subscriptions }, 'suback')
  }

  async #ask(packet: Packet, cmd: Due['cmd']): Promise<void> {
    if (!this.#isOpen) throw this.#failure
    this.#due = { cmd, settle: Promise.withResolvers() }
    this.#write(packet)
    await this.#due.settle.promise
  }

  #startDeadline(ms: number): void {
    this.#callOff?.()
    this.#callOff = startDeadline(ms, () =>
      this.fail(new OutgoingError('timeout', { connection: this.connection })),
    )
  }

  #begin({ properties }: IConnackPacket): void {
    const { receiveMaximum, maximumPacketSize, serverKeepAlive, maximumQoS } = properties ?? {}
    if (maximumQoS === 0) {
      const error = new RefusedByBroker(readRefusal('CONNACK', 155))
      this.fail(error)
      throw error
    }
    this.#window = Math.min(windowMax, receiveMaximum ?? windowMax)
    this.#bytesMax = maximumPacketSize ?? this.#bytesMax
    if (serverKeepAlive) this.#keepAliveMs = serverKeepAlive * 1_000
  }

  #read(chunk: Buffer): void {
    if (!this.#isOpen) return
    try {
      for (const packet of this.#reader.read(chunk)) this.#take(packet)
    } catch {
      this.#failProtocol()
    }
    this.#fill()
  }

  #take(packet: Packet): void {
    if (packet.cmd === 'connack' && !this.#isSignedIn) this.#admit(packet)
    else if (packet.cmd === 'puback' && this.#inFlight.delete(packet.messageId ?? 0)) {
      this.#startDeadline(this.#patienceMs)
      const code = packet.reasonCode ?? 0
      if (this.#turn && code >= 0x80)
        this.#turn.refusal ??= readRefusal('PUBACK', code, packet.properties?.reasonString)
    } else if (packet.cmd === 'publish' && this.#listen) this.#hear(packet)
    else if (this.#due && packet.cmd === this.#due.cmd) {
      this.#due.settle.resolve()
      this.#due = undefined
    } else if (packet.cmd === 'disconnect')
      this.#failRefused('DISCONNECT', packet.reasonCode ?? 0, packet.properties?.reasonString)
    else this.#failProtocol()
  }

  #hear({ topic, payload, qos, messageId }: IPublishPacket): void {
    if (qos === 1) this.#write({ cmd: 'puback', messageId: messageId ?? 0 })
    if (this.#opened.socket.writableLength > unreadBytesMax) this.#failProtocol()
    else this.#listen?.take({ topic, payload: Buffer.from(payload) })
  }

  #admit(packet: IConnackPacket): void {
    const code = packet.reasonCode ?? packet.returnCode ?? 0
    this.#isSignedIn = code === 0
    if (code === 0) this.#signedIn.resolve(packet)
    else this.#failRefused('CONNACK', code, packet.properties?.reasonString)
  }

  #failRefused(packet: BrokerRefusal['packet'], code: number, words: string | undefined): void {
    this.fail(new RefusedByBroker(readRefusal(packet, code, words)))
  }

  #failProtocol(): void {
    this.fail(new OutgoingError('protocol', { connection: this.connection }))
  }

  /** Sends as much as the broker has room for, and ends the turn after the last acknowledgement. */
  #fill(): void {
    const turn = this.#turn
    if (!turn || !this.#isOpen) return
    const { socket } = this.#opened
    socket.cork()
    while (!turn.refusal && turn.next < turn.messages.length) {
      if (this.#inFlight.size >= this.#window || socket.writableNeedDrain) break
      this.#publishNext(turn)
    }
    socket.uncork()
    const isSent = turn.refusal !== undefined || turn.next >= turn.messages.length
    if (isSent && this.#inFlight.size === 0) turn.settle.resolve(turn.refusal)
  }

  #publishNext(turn: Turn): void {
    const packet = this.#publishPacket(turn.messages[turn.next] as MqttMessage)
    const bytes = generate(packet, { protocolVersion: this.#version })
    if (bytes.length > this.#bytesMax) {
      turn.refusal = readRefusal('PUBACK', 149)
      return
    }
    this.#inFlight.add(packet.messageId)
    turn.next++
    this.#opened.socket.write(bytes)
  }

  #publishPacket({ topic, payload }: MqttMessage) {
    const messageId = this.#nextId()
    return { cmd: 'publish', topic, payload, qos: 1, dup: false, retain: false, messageId } as const
  }

  #nextId(): number {
    this.#lastId = (this.#lastId % 65_535) + 1
    return this.#lastId
  }

  #write(packet: Packet): void {
    this.#opened.socket.write(generate(packet, { protocolVersion: this.#version }))
  }
}

/** Cuts what a broker sends into packets, none of which is long. */
class PacketReader {
  readonly #parser: ReturnType<typeof parser>
  readonly #taken: ReadonlySet<number>
  #packets: Packet[] = []
  #rest: Buffer = Buffer.alloc(0)

  constructor(protocolVersion: number, listens: boolean) {
    this.#taken = listens ? listenedBytes : takenBytes
    this.#parser = parser({ protocolVersion })
    this.#parser.on('packet', (packet) => this.#packets.push(packet))
    this.#parser.on('error', (error) => {
      throw error
    })
  }

  /** @throws where the bytes are not packets that we take */
  read(chunk: Buffer): Packet[] {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const lengthOf = (rest: Buffer) => packetLength(rest, this.#taken)
    for (let length = lengthOf(bytes); length <= bytes.length; length = lengthOf(bytes)) {
      this.#parser.parse(bytes.subarray(0, length))
      bytes = bytes.subarray(length)
    }
    this.#rest = Buffer.from(bytes)
    const packets = this.#packets
    this.#packets = []
    return packets
  }
}

/** The first bytes of CONNACK, PUBACK and DISCONNECT; others come to those who asked for more. */
const takenBytes: ReadonlySet<number> = new Set([0x20, 0x40, 0xe0])
/** Also PUBLISH up to QoS 1, SUBACK and PINGRESP. */
const listenedBytes: ReadonlySet<number> = new Set([
  ...takenBytes,
  0x30,
  0x31,
  0x32,
  0x33,
  0x3a,
  0x3b,
  0x90,
  0xd0,
])

/** Of the first packet with its header; infinite while too little of it is there. */
function packetLength(bytes: Buffer, taken: ReadonlySet<number>): number {
  const [first] = bytes
  if (first !== undefined && !taken.has(first)) throw new Error('A broker sends us what we asked for.')
  let length = 0
  for (let place = 1; place <= 4; place++) {
    const byte = bytes[place]
    if (byte === undefined) return Number.POSITIVE_INFINITY
    length += (byte & 0x7f) * 128 ** (place - 1)
    if (length > packetBytesMax) break
    if (byte < 0x80) return 1 + place + length
  }
  throw new Error('A packet is too long.')
}
