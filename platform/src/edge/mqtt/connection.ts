import { isDroppable } from '../ingest/value-pace.ts'
import { gatewayLimits } from '../limits.ts'
import type { Farewell } from '../line-notes/line-notes.ts'
import type { MachineLogin } from '../login/login.ts'
import type { ProjectLogin, ProjectSession, RowMessage } from '../projects/project-door.ts'
import { openProjectLine } from '../projects/project-line.ts'
import { commandedMachine, projectTopics } from '../projects/project-topics.ts'
import {
  checkConnect,
  formatRefusal,
  formatWelcome,
  identify,
  propertiesOf,
  type Welcome,
  wantedSession,
} from './connect-rules.ts'
import type { ConnectionHost, Session, Will } from './connection-host.ts'
import { Conversation, type ConversationOptions } from './conversation.ts'
import { formatPacket, hasRightFlags, packetType } from './packet-codec.ts'
import { malformed, NotItsOwn, PacketFault, protocolError } from './packet-fault.ts'
import {
  bodyOf,
  type Connect,
  type ProtocolVersion,
  readConnect,
  readProtocolVersion,
} from './packet-parser.ts'
import { isLengthOverlong, PacketReader } from './packet-reader.ts'
import { topicOf } from './publish-reader.ts'
import { type ReasonCode, reason } from './reasons.ts'
import { machineTopics } from './topic-rights.ts'
import type { Transport } from './transport.ts'
import type { TurnTaker } from './turn-queue.ts'
import type { Unfinished } from './unfinished-packets.ts'

type Phase = 'connecting' | 'checking' | 'open' | 'closed'

const loggedFilterChars = 256

/** The part of a conversation in which machines and projects differ. */
type OwnConversation = Pick<
  ConversationOptions,
  'topics' | 'inflightMax' | 'filters' | 'subscribedWords' | 'store' | 'keep' | 'roomier'
>

/** The ends for which a machine's messages are not at fault. */
const farewells: Partial<Record<ReasonCode, Farewell>> = {
  [reason.keepAliveTimeout]: 'silence',
  [reason.notAuthorized]: 'secretRenewed',
  [reason.sessionTakenOver]: 'platform',
  [reason.serverShuttingDown]: 'platform',
  [reason.serverBusy]: 'platform',
}

/** One MQTT connection: 3.1.1 and 5, QoS 0 to 2, clean sessions. `docs/mqtt-conformance.md` has every rule. */
export class MqttConnection implements TurnTaker, Unfinished {
  readonly address: string
  readonly isWebSocket: boolean
  machine: MachineLogin | undefined
  project: ProjectLogin | undefined
  /** How it ended, or would end now. */
  farewell: Farewell = 'lost'
  /** It proved who it is, whether or not it is let in. */
  #prover: MachineLogin | ProjectLogin | undefined
  /** The longest packet that the client takes, with its header. */
  #packetBytesMax = Number.POSITIVE_INFINITY
  will: Will | undefined
  #version: ProtocolVersion = 4
  #clientId = ''
  #phase: Phase = 'connecting'
  /** Reading from the transport is paused. */
  #isPaused = false
  /** Not read before `resume`. */
  #isHeld = false
  /** The transport went while packets of it waited for their turn. */
  #isCut = false
  #isGone = false
  #hasTurn = false
  /** Its machine is to go to another node: told when everything that was read is acknowledged. */
  #leaving: (() => void) | undefined
  /** Its next message is an alarm without room in the store. */
  #awaitsRoom = false
  /** It waits for that room without a turn before. */
  #waitsAtOnce = false
  /** A message that came before its machine may send more values, or before there was room, and the end of the first wait. */
  #early: Buffer | undefined
  #paceTimer: NodeJS.Timeout | undefined
  /** Packets taken since the connection began. */
  #packets = 0
  /** Chunks since the last turn, counted because many small ones fill the memory as well. */
  #chunks = 0
  #pings = 0
  #lastPing: Buffer | undefined
  /** The packets written in a turn, sent together at its end. */
  #outgoing: Buffer[] | undefined
  #keepAliveMs = 0
  #transport: Transport | undefined
  #session: Session | undefined
  #projectSession: ProjectSession | undefined
  /** Its client wants its session to end. */
  #isForgotten = false
  #conversation: Conversation | undefined
  readonly #host: ConnectionHost<MqttConnection>
  readonly #openedAt: number
  #lastPacketAt: number
  readonly #reader = new PacketReader(gatewayLimits.connectBytesMax)

  constructor(host: ConnectionHost<MqttConnection>, address: string, isWebSocket: boolean) {
    this.#host = host
    this.address = address
    this.isWebSocket = isWebSocket
    this.#openedAt = host.ticks()
    this.#lastPacketAt = this.#openedAt
  }

  attach(transport: Transport): void {
    this.#transport = transport
  }

  /** Bytes from the client. They are read in the connection's turn; the rest waits in the socket. */
  received(bytes: Buffer): void {
    if (this.#phase === 'closed') return
    const isNext = this.#reader.bytes === 0 && this.#early === undefined
    this.#reader.push(bytes)
    if (this.#waitsAtOnce) {
      // Messages behind a waiting alarm are read with it.
      this.#pause()
      return
    }
    if (isNext && this.#waitAtOnce(bytes)) return
    this.#chunks++
    const { turnBytesMax, turnPacketsMax } = gatewayLimits
    if (this.#reader.bytes > turnBytesMax || this.#chunks >= turnPacketsMax) this.#pause()
    this.#awaitTurn()
  }

  /** Waits for room at once where the bytes are an alarm: a turn for each of thousands would delay the others. */
  #waitAtOnce(bytes: Buffer): boolean {
    if (this.#phase !== 'open' || this.#hasTurn || this.#isHeld || this.#isReading) return false
    if (!this.#host.alarmTurns.waitAtOnce(this, bytes)) return false
    this.#waitsAtOnce = true
    this.#hasTurn = true
    return true
  }

  /** A ping below MQTT: it counts as a packet, and many are answered once. */
  pinged(data: Buffer): void {
    if (this.#phase === 'closed') return
    this.#lastPing = data
    if (++this.#pings >= gatewayLimits.turnPacketsMax) this.#pause()
    this.#awaitTurn()
  }

  /** The transport is gone. Bytes that came before and wait for their turn are still read. */
  closed(): void {
    this.#transport = undefined
    if (this.#hasTurn || this.#isReading) {
      this.#isCut = true
      return
    }
    this.#phase = 'closed'
    this.#leave()
  }

  /** Continues with held back messages when there is room again. */
  resume(): void {
    if (!this.#isHeld || this.#phase === 'closed' || this.#isBlocked()) return
    if (this.#paceTimer) return
    this.#isHeld = false
    // The connection was not read until now: its silence begins here.
    this.#lastPacketAt = this.#host.ticks()
    this.#awaitTurn()
  }

  /** Reads a turn's worth of packets and answers them in one write. */
  takeTurn(): boolean {
    if (this.#phase === 'closed') return false
    this.#hasTurn = false
    this.#waitsAtOnce = false
    this.#chunks = 0
    this.#outgoing = []
    this.#awaitsRoom = false
    const packetsBefore = this.#packets
    const budget = gatewayLimits.turnPacketsMax - this.#answerPings()
    const hasMore = this.#read(budget) || this.#pings > 0
    this.#conversation?.flush()
    this.#flush()
    if (this.#isHeld) this.#host.unfinished.hold(this)
    else if (!this.#isClosed) {
      const bytes = hasMore ? 0 : this.#reader.bytes
      this.#host.unfinished.note(this, bytes, this.#packets > packetsBefore)
    }
    const goesOn = this.#endTurn(hasMore)
    if (!goesOn || !this.#awaitsRoom || this.#pings > 0) return goesOn
    this.#host.alarmTurns.add(this)
    return false
  }

  /**
   * Lets the machine go to another node: nothing more is read, and the connection ends when what was read is stored and
   * acknowledged, or after `patienceMs`. The machine sends the rest to the other node. Resolves when it has ended.
   */
  async leave(patienceMs: number): Promise<void> {
    if (this.#phase !== 'open') return
    if (this.#leaving) return this.#tellLeft()
    const settled = new Promise<void>((resolve) => {
      this.#leaving = resolve
    })
    this.#isHeld = true
    this.#pause()
    // Messages that wait for their turn wait for one that is not read any more.
    this.#session?.takeHeld()
    if (this.#conversation?.isIdle && !this.#isReading) this.#tellLeft()
    const late = setTimeout(() => this.#tellLeft(), patienceMs)
    await settled
    clearTimeout(late)
    this.end(reason.serverShuttingDown, 'the machine goes to another node')
  }

  endUnfinished(why: string): void {
    this.end(reason.quotaExceeded, why)
  }

  /** Ends the connection, with the reason where the protocol has a word for it. */
  end(code: ReasonCode, why: string): void {
    if (this.#phase === 'closed') return
    const level = code === reason.serverShuttingDown ? 'info' : 'warn'
    this.#host.log(level, { ...this.#fields(), code: `0x${code.toString(16)}`, why }, 'connection.ended')
    this.farewell = farewells[code] ?? 'messagesRefused'
    this.#endTold(code, undefined)
  }

  #endTold(code: ReasonCode, told: string | undefined): void {
    // A DISCONNECT is the last packet (MQTT-3.14.4-1).
    this.#conversation?.flush()
    if (this.#version === 5 && this.#phase === 'open')
      this.#write(
        this.#fitting(
          (words) => formatPacket({ cmd: 'disconnect', reasonCode: code, ...propertiesOf(words) }, 5),
          told,
        ),
      )
    this.#finish()
  }

  /** A packet with the reason in words, or without where the client takes no packet of this length (MQTT-3.14.2-3). */
  #fitting<Bytes extends Buffer | undefined>(
    format: (told: string | undefined) => Bytes,
    told: string | undefined,
  ): Bytes {
    const packet = format(told)
    return packet && packet.length > this.#packetBytesMax ? format(undefined) : packet
  }

  /** Ends a silent connection: no CONNECT in time, or silence beyond its keep-alive. */
  checkSilence(): void {
    const now = this.#host.ticks()
    if (this.#phase === 'connecting' && now - this.#openedAt > gatewayLimits.connectMsMax) {
      this.#host.log('info', this.#fields(), 'connect.late')
      this.#phase = 'closed'
      this.#transport?.destroy()
      this.#leave()
    } else if (this.#phase === 'open' && this.#keepAliveMs > 0 && !this.#isUnheard) {
      // MQTT-3.1.2-22, of 3.1.1 MQTT-3.1.2-24.
      if (now - this.#lastPacketAt > this.#keepAliveMs)
        this.end(reason.keepAliveTimeout, 'keep-alive ran out')
    }
  }

  /** Whether the client subscribed to a topic. */
  listens(topic: string): boolean {
    return this.#phase === 'open' && this.#conversation?.listens(topic) === true
  }

  /** Sends a message at QoS 0 when the client subscribed to its topic and takes its length; true when it did. */
  send(topic: string, payload: Buffer, retain = false): boolean {
    return this.#phase === 'open' && this.#conversation?.send(topic, payload, retain) === true
  }

  /** How many rows of a project its client takes now. */
  get room(): number {
    if (this.#phase !== 'open' || !this.#conversation || !this.#transport) return 0
    return this.#transport.waitingBytes < gatewayLimits.rowsBytesMax ? this.#conversation.room : 0
  }

  /** Sends a row of a project when the client subscribed to its topic and takes its length; true when it did. */
  sendRow(row: RowMessage, acknowledged: () => void): boolean {
    return this.#phase === 'open' && this.#conversation?.sendRow(row, acknowledged) === true
  }

  /** Sends the platform's STATE to a client that subscribed to it. */
  sendState(payload: Buffer): void {
    if (this.#phase !== 'open') return
    try {
      this.#conversation?.sendState(payload, false)
    } catch (error) {
      this.#fail(error)
    }
  }

  #tellLeft() {
    this.#leaving?.()
  }

  #awaitTurn() {
    if (this.#isHeld) return
    this.#hasTurn = true
    this.#host.turns.add(this)
  }

  /** Answers whether the connection needs another turn. */
  #endTurn(hasMore: boolean): boolean {
    // It may have ended in its turn.
    if (this.#isClosed) return false
    if (this.#isCut && !this.#isReading && (!hasMore || this.#isHeld)) {
      this.#phase = 'closed'
      this.#leave()
      return false
    }
    if (hasMore || this.#isHeld) this.#pause()
    else this.#unpause()
    this.#hasTurn = hasMore && !this.#isHeld
    return this.#hasTurn
  }

  /** A long message of it is being read, which goes on when the transport is gone. */
  get #isReading(): boolean {
    return this.#session?.isReading === true
  }

  get #isClosed(): boolean {
    return this.#phase === 'closed'
  }

  /** Whether its silence does not count, because it is not being read now. */
  get #isUnheard(): boolean {
    return this.#isPaused || this.#waitsAtOnce
  }

  /** Reads at most this number of packets; answers whether more may wait. */
  #read(packetsMax: number): boolean {
    let packets = 0
    let bytes = 0
    try {
      while (this.#phase === 'connecting' || this.#phase === 'open') {
        if (this.#phase === 'open' && this.#isBlocked()) break
        if (packets >= packetsMax || bytes >= gatewayLimits.turnBytesMax) return this.#reader.bytes > 0
        const packet = this.#early ?? this.#reader.next()
        if (packet === undefined) return false
        this.#early = this.#mustWait(packet) ? packet : undefined
        if (this.#early) break
        if (!this.#host.alarmTurns.mayRead(this, packet)) {
          this.#early = packet
          this.#awaitsRoom = true
          return true
        }
        if (packets === 0) this.#lastPacketAt = this.#host.ticks()
        packets++
        this.#packets++
        bytes += packet.length
        if (this.#phase === 'connecting') this.#connect(packet)
        else this.#take(packet)
      }
    } catch (error) {
      this.#fail(error)
    }
    // Bytes sent before the login is decided wait in the socket, not in memory.
    this.#isHeld = !this.#isClosed
    return false
  }

  /** Whether a packet is a message to be taken later, because its machine sends too many values. */
  #mustWait(packet: Buffer): boolean {
    const first = packet[0] ?? 0
    if (this.#phase !== 'open' || first >> 4 !== packetType.publish) return false
    const waitMs = this.#session?.waitMs() ?? 0
    if (waitMs === 0 || isDroppable(topicOf(packet), (first >> 1) & 3)) return false
    this.#paceTimer ??= setTimeout(() => {
      this.#paceTimer = undefined
      this.resume()
    }, waitMs)
    return true
  }

  /** Answers the pings of one turn by one pong; answers how many they were. */
  #answerPings(): number {
    const pings = Math.min(this.#pings, gatewayLimits.turnPacketsMax)
    this.#pings -= pings
    if (this.#pings === 0 && this.#lastPing) {
      this.#transport?.pong(this.#lastPing)
      this.#lastPing = undefined
      this.#checkOutbound()
    }
    return pings
  }

  /** Malformed packets and protocol errors end the connection (MQTT-4.13.1-1, of 3.1.1 MQTT-4.8.0-1). */
  #fail(error: unknown) {
    if (!(error instanceof PacketFault)) throw error
    if (error instanceof NotItsOwn && this.#prover && this.#phase !== 'closed') {
      this.#host.refused(this.#prover, error, this.address)
      this.farewell = 'messagesRefused'
      if (this.#phase === 'open') this.#endTold(error.code, error.message)
      else this.#refuseTold(error.code, error.message)
    } else if (this.#phase === 'open') this.end(error.code, error.message)
    else this.#refuse(error.code, error.message)
  }

  #isBlocked(): boolean {
    if (this.#phase === 'checking' || this.#isReading || this.#leaving) return true
    return this.#conversation?.isFull === true || this.#host.isUnderPressure()
  }

  #pause() {
    if (this.#isPaused) return
    this.#isPaused = true
    this.#transport?.pause()
  }

  #unpause() {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#transport?.resume()
  }

  /** The first packet is a CONNECT (MQTT-3.1.0-1). */
  #connect(packet: Buffer) {
    const first = packet[0] ?? 0
    if (first >> 4 !== packetType.connect) throw protocolError('the first packet is no CONNECT')
    if (!hasRightFlags(first)) throw malformed('flags of another packet')
    const bytes = bodyOf(packet)
    const version = readProtocolVersion(bytes)
    this.#version = version
    if (version === 5 && isLengthOverlong(packet)) throw overlong()
    const connect = readConnect(bytes, version)
    checkConnect(connect, version)
    this.#phase = 'checking'
    this.#login(connect).catch((error) => {
      if (error instanceof PacketFault) return this.#fail(error)
      this.#host.log('warn', { ...this.#fields(), err: error }, 'login.checkFailed')
      this.#fail(new PacketFault(reason.serverBusy, 'the database is away'))
    })
  }

  async #login(connect: Connect): Promise<void> {
    const { userName: code = '', password: secret = Buffer.alloc(0), clientId, will, properties } = connect
    const login = await this.#host.login({ code, secret, address: this.address })
    if (this.#phase !== 'checking') return
    if ('refused' in login) return this.#refuse(login.refused, 'login refused')
    this.#prover = login
    this.#packetBytesMax = properties.maximumPacketSize ?? Number.POSITIVE_INFINITY
    if ('projectId' in login) return this.#loginProject(login, connect)
    this.#clientId = identify(connect, login)
    const assignedId = clientId === '' ? this.#clientId : undefined
    if (!this.#welcome(connect, { assignedId, sessionPresent: false, keptS: 0 })) return
    this.machine = login
    this.will = will
    const session = this.#host.opened(this, login)
    this.#session = session
    this.#converse(connect, {
      topics: machineTopics(login.code, login.otherTopics),
      inflightMax: gatewayLimits.outboundInflightMax,
      store: (topic, payload, sent) => session.publish(topic, payload, sent),
    })
    this.resume()
  }

  /** A project's session instead of a machine's: nothing that it sends comes to the store. */
  async #loginProject(login: ProjectLogin, connect: Connect): Promise<void> {
    const wanted = wantedSession(connect, this.#version)
    this.#clientId = wanted.clientId
    const session = await this.#host.openProject(this, login, wanted)
    if ('refused' in session) return this.#refuse(session.refused, 'session refused')
    if (this.#phase !== 'checking') return session.close(false)
    this.#projectSession = session
    const assignedId = connect.clientId === '' ? wanted.clientId : undefined
    const { isPresent: sessionPresent, filters } = session
    if (!this.#welcome(connect, { assignedId, sessionPresent, keptS: wanted.keptS })) return
    this.project = login
    const isKept = wanted.keptS > 0
    this.#converse(connect, {
      topics: projectTopics(login.projectId),
      inflightMax: gatewayLimits.rowsInflightMax,
      filters,
      subscribedWords: isKept
        ? 'rows wait for this session'
        : 'live rows only: rows do not wait for this session',
      store: (topic, payload) => {
        const machineCode = commandedMachine(login.projectId, topic)
        return machineCode === undefined ? undefined : session.command(machineCode, Buffer.from(payload))
      },
      keep: (kept) => session.keep(kept),
      roomier: () => session.wake(),
    })
    session.start(openProjectLine(this))
    this.resume()
  }

  /** Answers the CONNECT; false where the client takes no answer. */
  #welcome(connect: Connect, content: Welcome): boolean {
    const welcome = formatWelcome(this.#version, content)
    if (welcome.length > this.#packetBytesMax) {
      this.#leaveUnsaid()
      return false
    }
    this.#keepAliveMs = connect.keepAliveS * 1000 * gatewayLimits.keepAliveFactor
    this.#reader.packetBytesMax = gatewayLimits.packetBytesMax
    this.#phase = 'open'
    this.#write(welcome)
    return true
  }

  #converse({ properties }: Connect, own: OwnConversation) {
    this.#conversation = new Conversation({
      version: this.#version,
      packetBytesMax: properties.maximumPacketSize,
      receiveMax: properties.receiveMaximum,
      isExpiryAsked: (properties.sessionExpiryInterval ?? 0) > 0,
      stateTopic: this.#host.stateTopic,
      acknowledgeSeconds: this.#host.acknowledgeSeconds,
      statePayload: () => this.#host.statePayload(),
      write: (bytes) => this.#write(bytes),
      settled: () => {
        if (this.#conversation?.isIdle) this.#tellLeft()
        this.resume()
      },
      end: (code, why) => this.end(code, why),
      left: (isWillSaid, isForgotten) => this.#left(isWillSaid, isForgotten),
      refused: (filter) => this.#logRefused(filter),
      ...own,
    })
  }

  /** A client that accepts no CONNACK cannot get the reason. */
  #leaveUnsaid() {
    this.#host.log(
      'info',
      { ...this.#fields(), why: 'its packets are too short for a CONNACK' },
      'login.refused',
    )
    this.#finish()
  }

  /** Sends a refusing CONNACK, and ends the connection (MQTT-3.2.2-7, of 3.1.1 MQTT-3.2.2-5). */
  #refuse(code: ReasonCode, why: string) {
    if (this.#phase === 'closed') return
    this.#host.log('info', { ...this.#fields(), code: `0x${code.toString(16)}`, why }, 'login.refused')
    this.#refuseTold(code, undefined)
  }

  #refuseTold(code: ReasonCode, told: string | undefined) {
    const refusal = this.#fitting((words) => formatRefusal(this.#version, code, words), told)
    if (refusal) this.#write(refusal)
    this.#finish()
  }

  #take(packet: Buffer) {
    if (this.#version === 5 && isLengthOverlong(packet)) throw overlong()
    this.#conversation?.take(packet)
  }

  #left(isWillSaid: boolean, isForgotten: boolean) {
    if (!isWillSaid) this.will = undefined
    this.#isForgotten = isForgotten
    this.farewell = 'goodbye'
    this.#finish()
  }

  #logRefused(filter: string) {
    const fields = { ...this.#fields(), filter: filter.slice(0, loggedFilterChars) }
    this.#host.log('warn', fields, 'subscription.refused')
  }

  #write(bytes: Buffer) {
    if (this.#phase === 'closed') return
    if (this.#outgoing) this.#outgoing.push(bytes)
    else this.#send(bytes)
  }

  /** Sends the packets of the turn. */
  #flush() {
    const outgoing = this.#outgoing ?? []
    this.#outgoing = undefined
    if (outgoing.length > 0)
      this.#send(outgoing.length === 1 ? (outgoing[0] as Buffer) : Buffer.concat(outgoing))
  }

  #send(bytes: Buffer) {
    this.#transport?.write(bytes)
    this.#checkOutbound()
  }

  /** A client that does not read its answers is cut. */
  #checkOutbound() {
    const transport = this.#transport
    const { rowsOutboundBytesMax, outboundBytesMax } = gatewayLimits
    const bytesMax = this.project ? rowsOutboundBytesMax : outboundBytesMax
    if (transport && transport.waitingBytes > bytesMax) transport.destroy()
  }

  #finish() {
    this.#conversation?.flush()
    this.#flush()
    this.#phase = 'closed'
    this.#transport?.end()
    this.#leave()
  }

  #leave() {
    if (this.#isGone) return
    this.#isGone = true
    this.#host.unfinished.forget(this)
    this.#host.alarmTurns.forget(this)
    clearTimeout(this.#paceTimer)
    if (this.#leaving) this.#session?.movedOn()
    else this.#session?.ended(this.will)
    this.#projectSession?.close(this.#isForgotten)
    this.#host.gone(this)
  }

  #fields(): object {
    const { machine, project } = this
    return {
      code: machine?.code,
      projectId: project?.projectId,
      address: this.address,
      clientId: this.#clientId || undefined,
    }
  }
}

function overlong(): PacketFault {
  return malformed('a length in more bytes than it takes')
}
