import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Server as TlsServer } from 'node:tls'
import type { telemetry as contract } from '@busbar/contract'
import { formatSparkplugTopic, primaryHostId } from '@busbar/link'
import type { WebSocket } from 'ws'
import type { Bus } from '../kernel/bus/bus.ts'
import type { Database } from '../kernel/database/database.ts'
import { every } from '../kernel/every.ts'
import type { IngestPort } from '../kernel/http/ingest-route.ts'
import type { Logger } from '../kernel/logger.ts'
import { Histogram } from '../kernel/metrics/index.ts'
import { spread } from '../kernel/spread.ts'
import {
  type AlarmRecord,
  RecordsRefused,
  type Telemetry,
  TelemetryStopped,
} from '../modules/telemetry/index.ts'
import type { Address, Gateway, GatewayOptions, GatewayStats, IngestTransport } from './gateway-types.ts'
import { refusedUplink } from './ingest/adapters/uplink.ts'
import { ingestHttp } from './ingest/http-ingest.ts'
import { KnownMessages } from './ingest/known-messages.ts'
import { LongMessages } from './ingest/long-messages.ts'
import { MachineClocks } from './ingest/machine-clocks.ts'
import { type IngestCounters, MachineSession } from './ingest/machine-session.ts'
import { RawLog } from './ingest/raw-log.ts'
import type { PreparedWrite, TagWrite, Unwritable } from './ingest/tag-write.ts'
import { ValuePaces } from './ingest/value-pace.ts'
import { gatewayLimits } from './limits.ts'
import { LineNotes } from './line-notes/line-notes.ts'
import { findLanguage, type MachineLogin, MachineLogins } from './login/login.ts'
import { LoginGuard } from './login/login-guard.ts'
import { AlarmTurns } from './mqtt/alarm-turns.ts'
import { MqttConnection } from './mqtt/connection.ts'
import type { ConnectionHost, LoginRefusal, LoginRequest, Session } from './mqtt/connection-host.ts'
import { MqttProxies } from './mqtt/mqtt-proxies.ts'
import { type Newcomer, Newcomers } from './mqtt/newcomers.ts'
import type { NotItsOwn } from './mqtt/packet-fault.ts'
import { reason } from './mqtt/reasons.ts'
import { openTcpTransport, openWebSocketTransport } from './mqtt/transport.ts'
import { TurnQueue } from './mqtt/turn-queue.ts'
import { UnfinishedPackets } from './mqtt/unfinished-packets.ts'
import { HttpPresence } from './presence/http-presence.ts'
import { Presence } from './presence/presence.ts'
import { TakeoverWatch } from './presence/takeover-watch.ts'
import { ProjectConnections } from './projects/project-connections.ts'
import type { ProjectDoor, ProjectLogin, ProjectSession, WantedSession } from './projects/project-door.ts'
import { projectIdOf } from './projects/project-topics.ts'

/** Limit of the gateway's own alarms that wait for the store; more are dropped. */
const unreportedMax = 10_000

/** A connection that is handed over waits no longer for what was read of it. */
const acknowledgeMsMax = 3_000
const backlogConnections = 1_024
/** Longer than any login takes to check. */
const endedKeptMs = 60_000
/** A refused topic of a machine is told again after this time; of all machines so many are remembered. */
const toldAgainMs = 60_000
const toldRefusalsMax = 10_000
const loggedTopicCharacters = 256

export type { Gateway, GatewayOptions, GatewayStats } from './gateway-types.ts'

export function createGateway(options: GatewayOptions): Gateway {
  return new MqttGateway(options)
}

class MqttGateway implements Gateway, ConnectionHost<MqttConnection> {
  readonly presence: Presence
  readonly stateTopic: string
  readonly #telemetry: Telemetry
  readonly #bus: Bus
  readonly #logger: Logger
  readonly #now: () => number
  readonly ticks: () => number
  readonly #after: (ms: number, run: () => void) => () => void
  readonly logins: LoginGuard
  readonly lineNotes: LineNotes
  readonly #db: Database
  readonly #rawLog: RawLog
  readonly clocks: MachineClocks
  readonly #httpPresence: HttpPresence
  readonly #takeovers = new TakeoverWatch()
  readonly acknowledgeSeconds = new Histogram()
  readonly turns: TurnQueue
  readonly alarmTurns: AlarmTurns
  readonly #long: LongMessages
  readonly unfinished: UnfinishedPackets
  readonly #newcomers: Newcomers
  readonly #paces: ValuePaces
  readonly #known: KnownMessages
  readonly #unknown = new Map<MqttConnection, Newcomer>()
  readonly #counters: Record<IngestTransport, IngestCounters> = {
    tcp: { messages: 0, bytes: 0 },
    websocket: { messages: 0, bytes: 0 },
    http: { messages: 0, bytes: 0 },
  }
  readonly #connections = new Set<MqttConnection>()
  readonly #byMachine = new Map<number, { connection: MqttConnection; session: MachineSession }>()
  /** When machines were ended, by the monotonic clock. */
  readonly #endedAt = new Map<number, number>()
  /** When their language was changed, by the same clock. */
  readonly #refreshedAt = new Map<number, number>()
  /** When refused topics of machines were told, by the same clock. */
  readonly #toldRefusals = new Map<string, number>()
  readonly #projects = new ProjectConnections<MqttConnection>()
  readonly #proxies: MqttProxies | undefined
  readonly #server: Server
  #tlsServer: Server | undefined
  #bornAt = 0
  #isStopping = false
  /** Other nodes take the machines from here on. */
  #isLeaving = false
  #closed: Promise<unknown> | undefined
  #sweep: NodeJS.Timeout | undefined
  /** Alarms of the gateway's own that could not be stored, in their order. */
  #unreported: { readonly machineId: number; readonly alarm: AlarmRecord }[] = []
  #endPressure: (() => void) | undefined
  #endRoom: (() => void) | undefined

  constructor(options: GatewayOptions) {
    const { db, bus, facts, logger, telemetry } = options
    const { commits = db } = options
    this.stateTopic = formatSparkplugTopic({ type: 'STATE', hostId: options.hostId ?? primaryHostId })
    this.#telemetry = telemetry
    this.#bus = bus
    this.#logger = logger
    this.#now = options.now ?? Date.now
    this.ticks = options.ticks ?? (() => performance.now())
    this.#after = options.after ?? runAfter
    this.turns = new TurnQueue(() => performance.now())
    this.alarmTurns = new AlarmTurns(this.turns, () => telemetry.alarmRoom)
    this.#long = new LongMessages(this.turns)
    this.#paces = new ValuePaces(options.machineValuesPerS ?? gatewayLimits.machineValuesPerS, this.ticks)
    this.#known = new KnownMessages(this.ticks)
    this.unfinished = new UnfinishedPackets(gatewayLimits.unfinishedBytesMax, this.ticks)
    const { newcomersMax: max, newcomersPerAddressMax: perAddressMax } = gatewayLimits
    this.#newcomers = new Newcomers({ max, perAddressMax }, logger, this.ticks)
    this.presence = new Presence({
      db,
      commits,
      bus,
      facts,
      logger,
      telemetry,
      now: this.#now,
      nodeId: options.nodeId,
      onTakenOver: (machineId) => this.#takenOver(machineId),
    })
    this.#httpPresence = new HttpPresence(this.presence, this.ticks)
    this.lineNotes = new LineNotes({ db, logger, now: this.#now })
    const wrong = (machineId: number, from: string) => this.lineNotes.refused(machineId, from)
    this.logins = new LoginGuard(new MachineLogins(db, undefined, wrong), this.ticks)
    this.#db = db
    this.#rawLog = new RawLog(db, logger)
    this.clocks = new MachineClocks(db, logger)
    this.#proxies = options.isProxy && new MqttProxies(options.isProxy, logger)
    this.#server = this.#createServer((...entered) => this.#acceptSocket(...entered))
  }

  start(address: Address): Promise<number>
  async start(address: Address | undefined): Promise<number | undefined> {
    this.#bornAt = this.#now()
    await this.presence.start()
    this.lineNotes.start()
    this.#sweep = every(gatewayLimits.sweepMs, () => this.#sweepSilent(), this.#logger)
    this.#endPressure = this.#telemetry.onPressure((isHigh) => {
      if (!isHigh) for (const connection of this.#connections) connection.resume()
    })
    this.#endRoom = this.#telemetry.onAlarmRoom(() => this.alarmTurns.release())
    return address && listen(this.#server, address)
  }

  startTls(server: TlsServer, address: Address): Promise<number> {
    // Counted before the handshake, which is the most expensive step that a stranger can cause.
    const shaking = new Map<string, [string, Newcomer]>()
    const placeOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
    this.#tlsServer = this.#createServer((socket, client, newcomer) => {
      const place = placeOf(socket)
      shaking.set(place, [client, newcomer])
      socket.once('close', () => {
        newcomer.leave()
        if (shaking.get(place)?.[1] === newcomer) shaking.delete(place)
      })
      server.emit('connection', socket)
    })
    server.on('secureConnection', (socket) => {
      const entered = shaking.get(placeOf(socket))
      shaking.delete(placeOf(socket))
      if (entered) this.#acceptSocket(socket, ...entered)
      else socket.destroy()
    })
    return listen(this.#tlsServer, address)
  }

  async leave(ms: number): Promise<void> {
    this.#isLeaving = true
    this.#closeServers()
    // A connection that is written after its machine came to another node would count as the newer one.
    await this.presence.flush()
    for (const connection of this.#projects.list())
      connection.end(reason.serverShuttingDown, 'the project goes to another node')
    await spread([...this.#byMachine.values()], ms, ({ connection }, leftMs) =>
      connection.leave(Math.min(leftMs, acknowledgeMsMax)),
    )
  }

  async drain(patienceMs: number): Promise<void> {
    this.#isStopping = true
    this.#closeServers()
    // Messages that wait for their turn are acknowledged too: the gateway does not read the ones they wait for.
    for (const { session } of this.#byMachine.values()) session.takeHeld()
    await Promise.race([this.#telemetry.settled(), sleep(patienceMs, undefined, { ref: false })])
    // Acknowledgements are written in the turn of their commit.
    await setImmediate()
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweep)
    this.#endPressure?.()
    this.#endRoom?.()
    this.#isStopping = true
    const closed = this.#closeServers()
    this.#proxies?.stop()
    for (const connection of [...this.#connections]) {
      if (this.#isLeaving && connection.machine) {
        // The platform goes on at other nodes.
        void connection.leave(0)
        continue
      }
      // A node accepts a death that is not older than its birth.
      connection.sendState(stateOf(false, Math.max(this.#now(), this.#bornAt)))
      connection.end(reason.serverShuttingDown, 'the platform is stopping')
    }
    await closed
    await this.#rawLog.flush()
    await this.clocks.flush()
    await this.presence.stop(this.#isLeaving)
    await this.lineNotes.stop()
  }

  admit(address: string): Newcomer | undefined {
    return this.#newcomers.enter(address)
  }

  acceptWebSocket(ws: WebSocket, address: string, newcomer: Newcomer): void {
    if (this.#isStopping || this.#isLeaving) {
      newcomer.leave()
      ws.close(1001, 'the platform is stopping')
      return
    }
    const connection = new MqttConnection(this, address, true)
    this.#connections.add(connection)
    this.#unknown.set(connection, newcomer)
    connection.attach(openWebSocketTransport(ws, connection))
  }

  ingestHttp(
    ...[authorization, readBody, address]: Parameters<IngestPort['ingestHttp']>
  ): ReturnType<IngestPort['ingestHttp']> {
    const deps = {
      telemetry: this.#telemetry,
      logins: this.logins,
      presence: this.#httpPresence,
      rawLog: this.#rawLog,
      clocks: this.clocks,
      counters: this.#counters.http,
      paces: this.#paces,
      known: this.#known,
      now: this.#now,
    }
    return ingestHttp(deps, authorization, readBody, address)
  }

  send(machineId: number, topic: string, payload: Buffer): boolean {
    return this.#byMachine.get(machineId)?.connection.send(topic, payload) ?? false
  }

  prepareWrite(machineId: number, write: TagWrite): PreparedWrite | Unwritable {
    const client = this.#byMachine.get(machineId)
    if (client) return client.session.prepareWrite(write)
    // One that only posts cannot be reached.
    return this.presence.isOnline(machineId) ? 'unsupported' : 'offline'
  }

  endMachine(machineId: number): void {
    this.#endedAt.set(machineId, performance.now())
    this.#byMachine.get(machineId)?.connection.end(reason.notAuthorized, 'its secret was renewed')
  }

  heldElsewhere(machineId: number, epoch: number): void {
    this.presence.heldElsewhere(machineId, epoch)
    // Its newest values and its tags are known there from now on.
    if (!this.presence.isOnline(machineId)) this.#telemetry.letGo(machineId)
  }

  disown(machineId: number): void {
    this.presence.forget(machineId)
    this.clocks.forget(machineId)
    this.#known.forget(machineId)
    this.#byMachine.get(machineId)?.connection.end(reason.serverBusy, 'it has another owner')
  }

  async refreshLanguage(machineId: number): Promise<void> {
    const askedAt = performance.now()
    this.#refreshedAt.set(machineId, askedAt)
    const client = this.#byMachine.get(machineId)
    try {
      const language = await findLanguage(this.#db, machineId)
      // Changed again meanwhile: a later read has the newer data.
      const isNewest = (this.#refreshedAt.get(machineId) ?? askedAt) === askedAt
      if (!language || !isNewest || !client) return
      // The topics of a connection are settled with its sign-in.
      if (client.connection.machine?.otherTopics !== language.otherTopics)
        client.connection.end(reason.serverBusy, 'its topics were set anew')
      else client.session.setLanguage(language)
    } catch (error) {
      this.#logger.warn({ err: error, machineId }, 'machineSettings.readFailed')
      client?.connection.end(reason.serverBusy, 'its settings could not be read')
    }
  }

  listRawMessages(machineId: number, limit: number): Promise<contract.RawMessage[]> {
    return this.#rawLog.list(machineId, limit, this.#now())
  }

  stats(): GatewayStats {
    const commit = this.#telemetry.stats()
    const counters = Object.values(this.#counters)
    let webSockets = 0
    for (const connection of this.#connections) if (connection.isWebSocket) webSockets++
    return {
      connections: this.#connections.size,
      webSockets,
      online: this.presence.onlineCount,
      messages: counters.reduce((sum, { messages }) => sum + messages, 0),
      points: commit.samples,
      bytes: counters.reduce((sum, { bytes }) => sum + bytes, 0),
      byTransport: this.#counters,
      refusedLogins: this.logins.refused,
      tooFast: this.#paces.dropped,
      newcomers: this.#newcomers.count,
      refusedConnections: this.#newcomers.refused,
      unfinishedBytes: this.unfinished.bytes,
      endedUnfinished: this.unfinished.ended,
      waiting: commit.waiting,
      rawWaiting: this.#rawLog.waiting,
      acknowledgeSeconds: this.acknowledgeSeconds,
      commit,
    }
  }

  async login(request: LoginRequest): Promise<MachineLogin | ProjectLogin | LoginRefusal> {
    if (this.#isLeaving) return { refused: reason.serverShuttingDown }
    const projectId = projectIdOf(request.code)
    if (projectId !== undefined) return this.#projects.login(projectId, request)
    const askedAt = performance.now()
    const login = await this.logins.check(request)
    if ('machineId' in login && (this.#endedAt.get(login.machineId) ?? -1) >= askedAt) {
      return { refused: reason.serverBusy }
    }
    // Checked while the machine's language was changed: it may have read the old one.
    if ('machineId' in login && (this.#refreshedAt.get(login.machineId) ?? -1) >= askedAt) {
      return this.login(request)
    }
    if ('retryIn' in login) return { refused: reason.connectionRateExceeded }
    return 'wrong' in login ? { refused: reason.badUserNameOrPassword } : login
  }

  opened(connection: MqttConnection, machine: MachineLogin): Session {
    this.#becomeKnown(connection)
    const { machineId } = machine
    const before = this.#byMachine.get(machineId)?.connection
    const session = new MachineSession(
      {
        telemetry: this.#telemetry,
        presence: this.presence,
        rawLog: this.#rawLog,
        clocks: this.clocks,
        counters: this.#counters[connection.isWebSocket ? 'websocket' : 'tcp'],
        paces: this.#paces,
        known: this.#known,
        long: this.#long,
        bus: this.#bus,
        now: this.#now,
        after: this.#after,
      },
      {
        machine,
        address: connection.address,
        protocol: connection.isWebSocket ? 'ws' : 'tcp',
        will: connection.will,
        listens: (topic) => connection.listens(topic),
        send: (topic, payload) => connection.send(topic, payload),
        goOn: () => connection.resume(),
      },
    )
    this.#byMachine.set(machineId, { connection, session })
    if (before) {
      // After the new one is online, so that the machine does not appear to go and come.
      before.end(reason.sessionTakenOver, `taken over from ${connection.address}`)
      const alarm = this.#takeovers.takenOver(machineId, before.address, connection.address, this.#now())
      if (alarm) this.#tell(machineId, alarm)
    }
    return session
  }

  async openProject(
    connection: MqttConnection,
    project: ProjectLogin,
    wanted: WantedSession,
  ): Promise<ProjectSession | LoginRefusal> {
    this.#becomeKnown(connection)
    return this.#projects.open(connection, project, wanted)
  }

  openTo(door: ProjectDoor): void {
    this.#projects.door = door
  }

  gone(connection: MqttConnection): void {
    this.#becomeKnown(connection)
    this.#connections.delete(connection)
    this.#projects.gone(connection)
    const machineId = connection.machine?.machineId
    if (machineId !== undefined && this.#byMachine.get(machineId)?.connection === connection) {
      this.#byMachine.delete(machineId)
      this.lineNotes.ended(machineId, connection.farewell)
    }
  }

  isUnderPressure(): boolean {
    return this.#isStopping || this.#telemetry.isUnderPressure
  }

  statePayload(): Buffer {
    return stateOf(true, this.#bornAt)
  }

  refused(
    login: MachineLogin | ProjectLogin,
    { topic, payload, message: why }: NotItsOwn,
    address: string,
  ): void {
    if ('projectId' in login) {
      const shown = topic.slice(0, loggedTopicCharacters)
      this.#logger.info({ projectId: login.projectId, address, topic: shown, why }, 'projectTopic.refused')
      return
    }
    const { machineId, code } = login
    // A client tries again every few seconds.
    const key = `${machineId} ${topic}`
    if (this.#toldRefusals.has(key) || this.#toldRefusals.size >= toldRefusalsMax) return
    this.#toldRefusals.set(key, performance.now())
    this.#logger.warn({ code, address, topic: topic.slice(0, loggedTopicCharacters), why }, 'topic.refused')
    const uplink = refusedUplink(topic === '' ? 'protocolError' : 'unknownTopic', why)
    this.#rawLog.keep({
      machineId,
      at: this.#now(),
      topic,
      payload,
      adapter: null,
      uplink,
      outcome: undefined,
    })
  }

  log(level: 'info' | 'warn', fields: object, message: string): void {
    this.#logger[level](fields, message)
  }

  /** Resolves when the last connection is gone. */
  #closeServers(): Promise<unknown> {
    const servers = [this.#server, ...(this.#tlsServer ? [this.#tlsServer] : [])]
    this.#closed ??= Promise.all(
      servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    )
    return this.#closed
  }

  #sweepSilent(): void {
    const now = this.#now()
    for (const connection of this.#connections) connection.checkSilence()
    this.unfinished.sweep()
    this.#newcomers.sweep()
    this.#paces.sweep()
    this.#known.sweep()
    this.#httpPresence.sweep()
    const endedBefore = performance.now() - endedKeptMs
    for (const told of [this.#endedAt, this.#refreshedAt]) {
      for (const [machineId, at] of told) if (at < endedBefore) told.delete(machineId)
    }
    const toldBefore = performance.now() - toldAgainMs
    for (const [key, at] of this.#toldRefusals) if (at < toldBefore) this.#toldRefusals.delete(key)
    const unreported = this.#unreported
    this.#unreported = []
    for (const { machineId, alarm } of [...unreported, ...this.#takeovers.sweep(now)])
      this.#tell(machineId, alarm)
  }

  #takenOver(machineId: number): void {
    // First, so that its values are not published as stale.
    this.#telemetry.letGo(machineId)
    const client = this.#byMachine.get(machineId)
    if (client) client.connection.end(reason.sessionTakenOver, 'taken over by another node')
    else this.presence.end(machineId)
  }

  #becomeKnown(connection: MqttConnection): void {
    this.#unknown.get(connection)?.leave()
    this.#unknown.delete(connection)
  }

  #tell(machineId: number, alarm: AlarmRecord): void {
    this.#telemetry.append(machineId, [alarm]).catch((error) => {
      this.#logger.warn({ err: error, machineId }, 'gatewayAlarm.storeFailed')
      // The next sweep sends it again, because there is no other sender.
      const isFinal = error instanceof RecordsRefused || error instanceof TelemetryStopped
      if (!isFinal && this.#unreported.length < unreportedMax) this.#unreported.push({ machineId, alarm })
    })
  }

  /** A server of connections that were counted, by the address of the client. */
  #createServer(take: (socket: Socket, client: string, newcomer: Newcomer) => void): Server {
    const enter = (socket: Socket, client: string) => {
      const newcomer = this.admit(client)
      if (newcomer) take(socket, client, newcomer)
      else socket.destroy()
    }
    const server = createServer({ noDelay: true }, (socket) => {
      const peer = socket.remoteAddress ?? ''
      if (!this.#proxies?.isProxy(peer)) return enter(socket, peer)
      void this.#proxies.addressOf(socket).then((client) => {
        if (client !== undefined) enter(socket, client)
      })
    })
    server.maxConnections = gatewayLimits.connectionsMax
    return server
  }

  #acceptSocket(socket: Socket, client: string, newcomer: Newcomer): void {
    const connection = new MqttConnection(this, client, false)
    this.#connections.add(connection)
    this.#unknown.set(connection, newcomer)
    connection.attach(openTcpTransport(socket, connection))
  }
}

function runAfter(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Answers the port, which matters for port 0. */
async function listen(server: Server, address: Address): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...address, backlog: backlogConnections }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = server.address()
  return typeof bound === 'object' && bound ? bound.port : address.port
}

/**
 * Sparkplug's STATE message (3.0, section 6.4.25). The death at an orderly stop carries the time of the stop
 * (tck-id-host-topic-phid-death-payload-timestamp-disconnect-clean).
 */
function stateOf(online: boolean, timestamp: number): Buffer {
  return Buffer.from(JSON.stringify({ online, timestamp }))
}
