import { randomBytes } from 'node:crypto'
import { primaryHostId } from '@busbar/link'
import type { IConnectPacket, ISubscribePacket, IUnsubscribePacket } from 'mqtt-packet'
import { AckQueue, type PendingAck } from './ack-queue.ts'
import { gatewayLimits } from './limits.ts'
import type { MachineLogin } from './login.ts'
import { formatPacket, packetType, parsePacket, pingResponse } from './packet-codec.ts'
import { PacketReader, type Publish, readPublish } from './packet-reader.ts'
import { type ReasonCode, reason, returnCodes, subackRefused } from './reasons.ts'
import { Subscriptions } from './subscriptions.ts'
import { isTopicName, matchesTopic, mayPublish } from './topic-rights.ts'
import type { Transport } from './transport.ts'

export interface LoginRequest {
  readonly code: string
  readonly secret: Buffer
  readonly address: string
}

export interface LoginRefusal {
  readonly refused: ReasonCode
}

/** What a connection needs from the gateway it came to. */
export interface ConnectionHost {
  login(request: LoginRequest): Promise<MachineLogin | LoginRefusal>
  /** The machine is logged in: an earlier connection of it has to go. */
  opened(connection: MqttConnection, machine: MachineLogin): Session
  /** The connection is over, logged in or not. */
  gone(connection: MqttConnection): void
  /** True while the store takes no more. */
  isUnderPressure(): boolean
  /** The platform's own STATE message, for who subscribes to it. */
  statePayload(): Buffer
  now(): number
  log(level: 'info' | 'warn', fields: object, message: string): void
}

/** What stands behind a connection that is logged in. */
export interface Session {
  /** A message of the machine. Resolves when it may be acknowledged; throws when it must not be. Undefined: at once. */
  publish(topic: string, payload: Buffer): Promise<void> | undefined
  /** The end; `will` is what the client wanted said when it did not leave by itself. */
  ended(will: Will | undefined): void
}

export interface Will {
  readonly topic: string
  readonly payload: Buffer
}

type Phase = 'connecting' | 'checking' | 'open' | 'closed'

/** Where Sparkplug 3.0 hosts say that they are there. */
export const stateTopic = `spBv1.0/STATE/${primaryHostId}`

/** One MQTT connection: 3.1.1 and 5, QoS 0 to 2, clean sessions. */
export class MqttConnection {
  readonly address: string
  readonly isWebSocket: boolean
  readonly openedAt: number
  lastPacketAt: number
  machine: MachineLogin | undefined
  will: Will | undefined
  version = 4
  clientId = ''
  #phase: Phase = 'connecting'
  #isPaused = false
  #keepAliveMs = 0
  #inflight = 0
  #inflightBytes = 0
  #transport: Transport | undefined
  #session: Session | undefined
  #isGone = false
  #lastTopic: string | undefined
  #subscriptions: Subscriptions | undefined
  /** Packet ids of QoS 2 messages that are stored and wait for their PUBREL. */
  #received: Set<number> | undefined
  readonly #host: ConnectionHost
  readonly #reader = new PacketReader(gatewayLimits.connectBytesMax)
  readonly #acks: AckQueue

  constructor(host: ConnectionHost, address: string, isWebSocket: boolean) {
    this.#host = host
    this.address = address
    this.isWebSocket = isWebSocket
    this.openedAt = host.now()
    this.lastPacketAt = this.openedAt
    this.#acks = new AckQueue((bytes) => this.#write(bytes))
  }

  attach(transport: Transport): void {
    this.#transport = transport
  }

  /** Bytes from the client. */
  received(bytes: Buffer): void {
    if (this.#phase === 'closed') return
    this.#reader.push(bytes)
    this.#read()
  }

  /** The transport is gone. */
  closed(): void {
    this.#phase = 'closed'
    this.#transport = undefined
    this.#leave()
  }

  /** Goes on with what was held back, when there is room again. */
  resume(): void {
    if (!this.#isPaused || this.#phase === 'closed' || this.#isBlocked()) return
    this.#isPaused = false
    this.#transport?.resume()
    this.#read()
  }

  /** Ends the connection, with the reason where the protocol has a word for it. */
  end(code: ReasonCode, why: string): void {
    if (this.#phase === 'closed') return
    const level = code === reason.serverShuttingDown ? 'info' : 'warn'
    this.#host.log(level, { ...this.#fields(), code: `0x${code.toString(16)}`, why }, 'MQTT connection ended')
    if (this.version === 5 && this.#phase === 'open') {
      this.#write(formatPacket({ cmd: 'disconnect', reasonCode: code }, 5))
    }
    this.#finish()
  }

  /** Ends a connection that says nothing: no CONNECT in time, or silence beyond its keep-alive. */
  checkSilence(now: number): void {
    if (this.#phase === 'connecting' && now - this.openedAt > gatewayLimits.connectMsMax) {
      this.#host.log('info', this.#fields(), 'no CONNECT in time')
      this.#phase = 'closed'
      this.#transport?.destroy()
      this.#leave()
    } else if (this.#phase === 'open' && this.#keepAliveMs > 0 && !this.#isPaused) {
      if (now - this.lastPacketAt > this.#keepAliveMs) this.end(reason.keepAliveTimeout, 'keep-alive ran out')
    }
  }

  /** Whether the client subscribed to a topic. */
  listens(topic: string): boolean {
    return this.#phase === 'open' && this.#subscriptions?.matches(topic) === true
  }

  /** Sends a message at QoS 0 when the client subscribed to its topic; true when it did. */
  send(topic: string, payload: Buffer, retain = false): boolean {
    if (!this.listens(topic)) return false
    this.#write(formatPacket({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain }, this.version))
    return true
  }

  #read() {
    while (this.#phase === 'connecting' || this.#phase === 'open') {
      if (this.#phase === 'open' && this.#isBlocked()) return this.#pause()
      const packet = this.#reader.next()
      if (packet === undefined) return
      if (packet === 'malformed') return this.end(reason.malformedPacket, 'malformed length')
      if (packet === 'tooLong') return this.end(reason.packetTooLarge, 'packet too long')
      this.lastPacketAt = this.#host.now()
      if (this.#phase === 'connecting') this.#connect(packet)
      else this.#dispatch(packet)
    }
    // Bytes sent before the login is decided wait in the socket, not in memory.
    if (this.#phase === 'checking') this.#pause()
  }

  #isBlocked(): boolean {
    if (this.#phase === 'checking') return true
    return (
      this.#inflight >= gatewayLimits.inflightMax ||
      this.#inflightBytes >= gatewayLimits.inflightBytesMax ||
      this.#host.isUnderPressure()
    )
  }

  #pause() {
    if (this.#isPaused) return
    this.#isPaused = true
    this.#transport?.pause()
  }

  #connect(bytes: Buffer) {
    if ((bytes[0] ?? 0) >> 4 !== packetType.connect) {
      return this.end(reason.protocolError, 'the first packet is no CONNECT')
    }
    const version = protocolVersionOf(bytes)
    if (version === undefined) return this.end(reason.malformedPacket, 'malformed CONNECT')
    if (version !== 3 && version !== 4 && version !== 5) {
      return this.#refuse(reason.unsupportedProtocolVersion, 'unknown protocol version')
    }
    this.version = version
    const packet = parsePacket(bytes, version)
    if (packet?.cmd !== 'connect') return this.#refuse(reason.malformedPacket, 'malformed CONNECT')
    this.#phase = 'checking'
    this.#login(packet).catch((error) => {
      this.#host.log('warn', { ...this.#fields(), err: error }, 'a login could not be checked')
      this.#refuse(reason.serverBusy, 'the database is away')
    })
  }

  async #login(packet: IConnectPacket): Promise<void> {
    if (packet.properties?.authenticationMethod !== undefined) {
      return this.#refuse(reason.badAuthenticationMethod, 'enhanced authentication')
    }
    const code = packet.username ?? ''
    const secret = packet.password ?? Buffer.alloc(0)
    const login = await this.#host.login({ code, secret, address: this.address })
    if (this.#phase !== 'checking') return
    if ('refused' in login) return this.#refuse(login.refused, 'login refused')
    const clientId = packet.clientId || `${login.code}:${randomBytes(8).toString('hex')}`
    if (clientId !== login.code && !clientId.startsWith(`${login.code}:`)) {
      return this.#refuse(reason.clientIdentifierNotValid, 'client id does not begin with the code')
    }
    const { will } = packet
    if (will && !mayPublish(login.code, will.topic)) {
      return this.#refuse(reason.notAuthorized, "will on another machine's topic")
    }
    this.machine = login
    this.clientId = clientId
    this.will = will && { topic: will.topic, payload: Buffer.from(will.payload) }
    this.#keepAliveMs = (packet.keepalive ?? 0) * 1000 * gatewayLimits.keepAliveFactor
    this.#reader.packetBytesMax = gatewayLimits.packetBytesMax
    this.#phase = 'open'
    this.#accept(packet.clientId === '')
    this.#session = this.#host.opened(this, login)
    this.resume()
  }

  #accept(isIdAssigned: boolean) {
    if (this.version !== 5) {
      return this.#write(formatPacket({ cmd: 'connack', returnCode: 0, sessionPresent: false }, this.version))
    }
    const properties = {
      // The session ends with the connection, whatever the client asked for.
      sessionExpiryInterval: 0,
      receiveMaximum: gatewayLimits.inflightMax,
      maximumPacketSize: gatewayLimits.packetBytesMax,
      retainAvailable: false,
      subscriptionIdentifiersAvailable: false,
      sharedSubscriptionAvailable: false,
      ...(isIdAssigned ? { assignedClientIdentifier: this.clientId } : {}),
    }
    this.#write(formatPacket({ cmd: 'connack', reasonCode: 0, sessionPresent: false, properties }, 5))
  }

  #refuse(code: ReasonCode, why: string) {
    if (this.#phase === 'closed') return
    this.#host.log('info', { ...this.#fields(), code: `0x${code.toString(16)}`, why }, 'MQTT login refused')
    const returnCode = returnCodes[code]
    if (this.version === 5 && code !== reason.unsupportedProtocolVersion) {
      this.#write(formatPacket({ cmd: 'connack', reasonCode: code, sessionPresent: false }, 5))
    } else if (returnCode !== undefined) {
      this.#write(formatPacket({ cmd: 'connack', returnCode, sessionPresent: false }, 4))
    }
    this.#finish()
  }

  #dispatch(bytes: Buffer) {
    const first = bytes[0] ?? 0
    const type = first >> 4
    if (type === packetType.publish) {
      const publish = readPublish(bytes, this.version)
      if (publish === 'properties') return this.#publishWithProperties(bytes)
      if (!publish) return this.end(reason.malformedPacket, 'malformed PUBLISH')
      return this.#publish(publish, bytes.length)
    }
    if (type === packetType.pingreq && bytes.length === 2 && first === 0xc0) return this.#write(pingResponse)
    const packet = parsePacket(bytes, this.version)
    switch (packet?.cmd) {
      case 'subscribe':
        return this.#subscribe(packet)
      case 'unsubscribe':
        return this.#unsubscribe(packet)
      case 'pubrel':
        this.#received?.delete(packet.messageId ?? 0)
        return this.#acks.send(packet.messageId ?? 0, packetType.pubcomp)
      case 'disconnect':
        // 4: the client leaves, but wants its will said (MQTT 5.0, 3.14.2.1).
        if (packet.reasonCode !== 4) this.will = undefined
        return this.#finish()
      case 'puback':
        // Nothing goes out that asks for one.
        return
      case undefined:
        return this.end(reason.malformedPacket, `malformed packet of type ${type}`)
      default:
        return this.end(reason.protocolError, `a client does not send ${packet?.cmd}`)
    }
  }

  #publishWithProperties(bytes: Buffer) {
    const packet = parsePacket(bytes, this.version)
    if (packet?.cmd !== 'publish') return this.end(reason.malformedPacket, 'malformed PUBLISH')
    if (packet.properties?.topicAlias !== undefined) {
      return this.end(reason.topicAliasInvalid, 'a topic alias, though none is allowed')
    }
    const payload = Buffer.from(packet.payload)
    const publish = { topic: packet.topic, qos: packet.qos, packetId: packet.messageId ?? 0, payload }
    this.#publish(publish, bytes.length)
  }

  #publish(publish: Publish, bytes: number) {
    const { topic, qos, packetId } = publish
    if (topic !== this.#lastTopic) {
      if (!isTopicName(topic)) return this.end(reason.topicNameInvalid, 'not a topic name')
      if (!this.machine || !mayPublish(this.machine.code, topic)) {
        return this.end(reason.notAuthorized, "publish to another machine's topic")
      }
      this.#lastTopic = topic
    }
    if (qos === 2 && this.#received?.has(packetId)) {
      // Sent again because our PUBREC was lost: it is stored already (MQTT-4.3.3-10).
      return this.#acks.send(packetId, packetType.pubrec)
    }
    const ack =
      qos === 0 ? undefined : this.#acks.add(packetId, qos === 1 ? packetType.puback : packetType.pubrec)
    const stored = this.#session?.publish(topic, publish.payload)
    if (!stored) return this.#settle(ack)
    this.#inflight++
    this.#inflightBytes += bytes
    stored.then(
      () => {
        this.#inflight--
        this.#inflightBytes -= bytes
        this.#settle(ack)
        if (this.#isPaused) this.resume()
      },
      (error) => {
        this.#inflight--
        this.#inflightBytes -= bytes
        // Not acknowledged: the client keeps it and sends it again.
        this.end(reason.serverBusy, error instanceof Error ? error.name : 'not stored')
      },
    )
  }

  #settle(ack: PendingAck | undefined) {
    if (!ack) return
    if (ack.type === packetType.pubrec) {
      this.#received ??= new Set()
      this.#received.add(ack.packetId)
    }
    this.#acks.settle(ack)
  }

  #subscribe(packet: ISubscribePacket) {
    const messageId = packet.messageId ?? 0
    if (messageId === 0 || packet.subscriptions.length === 0) {
      return this.end(reason.protocolError, 'SUBSCRIBE without id or filters')
    }
    this.#subscriptions ??= new Subscriptions(this.machine?.code ?? '')
    let wantsState = false
    const granted: number[] = []
    for (const subscription of packet.subscriptions) {
      const { topic: filter } = subscription
      const { granted: code, isRefused, wantsRetained } = this.#subscriptions.add(subscription)
      granted.push(isRefused && this.version !== 5 ? subackRefused.v3 : code)
      wantsState ||= wantsRetained && matchesTopic(filter, stateTopic)
      if (isRefused) {
        this.#host.log(
          'warn',
          { ...this.#fields(), filter: filter.slice(0, 256) },
          'MQTT subscription refused',
        )
      }
    }
    this.#write(formatPacket({ cmd: 'suback', messageId, granted }, this.version))
    if (wantsState) this.send(stateTopic, this.#host.statePayload(), true)
  }

  #unsubscribe(packet: IUnsubscribePacket) {
    const messageId = packet.messageId ?? 0
    if (messageId === 0) return this.end(reason.protocolError, 'UNSUBSCRIBE without id')
    // 17: there was no such subscription (MQTT 5.0, 3.11.3).
    const granted = packet.unsubscriptions.map((filter) => (this.#subscriptions?.remove(filter) ? 0 : 17))
    this.#write(formatPacket({ cmd: 'unsuback', messageId, granted }, this.version))
  }

  #write(bytes: Buffer) {
    const transport = this.#transport
    if (!transport) return
    transport.write(bytes)
    if (transport.waitingBytes > gatewayLimits.outboundBytesMax) transport.destroy()
  }

  #finish() {
    this.#acks.flush()
    this.#phase = 'closed'
    this.#transport?.end()
    this.#leave()
  }

  #leave() {
    if (this.#isGone) return
    this.#isGone = true
    this.#session?.ended(this.will)
    this.#host.gone(this)
  }

  #fields(): object {
    return { code: this.machine?.code, address: this.address, clientId: this.clientId || undefined }
  }
}

/** The version a CONNECT asks for, as it stands there: the general parser would not tell an unknown one. */
function protocolVersionOf(bytes: Buffer): number | undefined {
  let offset = 1
  while ((bytes[offset] ?? 0) >= 0x80) offset++
  offset++
  if (offset + 2 > bytes.length) return undefined
  return bytes[offset + 2 + bytes.readUInt16BE(offset)]
}
