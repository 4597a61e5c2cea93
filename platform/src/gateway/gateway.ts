import { createServer, type Server, type Socket } from 'node:net'
import type { Server as TlsServer } from 'node:tls'
import type { WebSocket } from 'ws'
import type { Bus } from '../bus/bus.ts'
import type { Database } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import type { AlarmRecord, Telemetry, TelemetryStats } from '../modules/telemetry/index.ts'
import {
  type ConnectionHost,
  type LoginRefusal,
  type LoginRequest,
  MqttConnection,
  type Session,
  stateTopic,
} from './connection.ts'
import { type IngestResult, ingestHttp } from './http-ingest.ts'
import { HttpPresence } from './http-presence.ts'
import { gatewayLimits } from './limits.ts'
import { type MachineLogin, MachineLogins } from './login.ts'
import { LoginDoor } from './login-door.ts'
import { MachineSession } from './machine-session.ts'
import { Presence } from './presence.ts'
import { RawLog } from './raw-log.ts'
import { reason } from './reasons.ts'
import type { PreparedWrite, TagWrite, Unwritable } from './tag-write.ts'
import { TakeoverWatch } from './takeover-watch.ts'
import { openTcpTransport, openWebSocketTransport } from './transport.ts'

const backlogConnections = 1_024
/** No login takes longer to check. */
const endedKeptMs = 60_000

export interface GatewayOptions {
  readonly db: Database
  readonly bus: Bus
  readonly logger: Logger
  readonly telemetry: Telemetry
  readonly now?: () => number
}

export interface GatewayStats {
  /** Open now, over TCP and WebSocket. */
  readonly connections: number
  readonly online: number
  /** Publishes and HTTP ingests taken since the start. */
  readonly messages: number
  readonly points: number
  readonly bytes: number
  readonly refusedLogins: number
  /** Records whose commit is awaited. */
  readonly waiting: number
  readonly commit: TelemetryStats
}

/** Where machines come in: the MQTT endpoint, its WebSocket twin, and HTTP ingest. */
export interface Gateway {
  readonly presence: Presence
  /** Checks machines' secrets, for tunnels too: failures count together wherever they are tried. */
  readonly logins: LoginDoor
  /** Listens; answers the port, which matters where 0 was asked for. */
  start(address: { host: string; port: number }): Promise<number>
  /** Listens with TLS too; `server` is closed by `stop`. */
  startTls(server: TlsServer, address: { host: string; port: number }): Promise<number>
  /** Ends every connection. What they sent is committed or stays theirs to send again. */
  stop(): Promise<void>
  /** Takes over a WebSocket of the subprotocol `mqtt`. */
  acceptWebSocket(ws: WebSocket, address: string): void
  /** `POST /api/v1/ingest`: undefined when the credentials are no machine's. */
  ingestHttp(authorization: string | undefined, body: Buffer, address: string): Promise<IngestResult>
  /** Sends a message to a machine at QoS 0; false when it is not here or did not subscribe. */
  send(machineId: number, topic: string, payload: Buffer): boolean
  /** A write in the machine's own protocol, ready to be sent. Nothing is queued for a machine that is away. */
  prepareWrite(machineId: number, write: TagWrite): PreparedWrite | Unwritable
  /** Ends a machine's connection whose secret is no longer good, and a login with it that is being checked. */
  endMachine(machineId: number): void
  stats(): GatewayStats
}

export function createGateway(options: GatewayOptions): Gateway {
  return new MqttGateway(options)
}

class MqttGateway implements Gateway, ConnectionHost {
  readonly presence: Presence
  readonly #telemetry: Telemetry
  readonly #bus: Bus
  readonly #logger: Logger
  readonly #now: () => number
  readonly logins: LoginDoor
  readonly #rawLog: RawLog
  readonly #httpPresence: HttpPresence
  readonly #takeovers = new TakeoverWatch()
  readonly #counters = { messages: 0, bytes: 0 }
  readonly #connections = new Set<MqttConnection>()
  readonly #byMachine = new Map<number, { connection: MqttConnection; session: MachineSession }>()
  /** When machines were ended, by the monotonic clock. */
  readonly #endedAt = new Map<number, number>()
  readonly #server: Server
  #tlsServer: TlsServer | undefined
  #bornAt = 0
  #sweep: NodeJS.Timeout | undefined
  #endPressure: (() => void) | undefined

  constructor(options: GatewayOptions) {
    const { db, bus, logger, telemetry } = options
    this.#telemetry = telemetry
    this.#bus = bus
    this.#logger = logger
    this.#now = options.now ?? Date.now
    this.presence = new Presence({ db, bus, logger, telemetry, now: this.#now })
    this.#httpPresence = new HttpPresence(this.presence)
    this.logins = new LoginDoor(new MachineLogins(db), this.#now)
    this.#rawLog = new RawLog(db, logger)
    this.#server = createServer({ noDelay: true }, (socket) => this.#acceptSocket(socket))
    this.#server.maxConnections = gatewayLimits.connectionsMax
  }

  async start(address: { host: string; port: number }): Promise<number> {
    this.#bornAt = this.#now()
    await this.presence.start()
    this.#sweep = setInterval(() => this.#sweepSilent(), gatewayLimits.sweepMs)
    this.#endPressure = this.#telemetry.onPressure((isHigh) => {
      if (!isHigh) for (const connection of this.#connections) connection.resume()
    })
    return listen(this.#server, address)
  }

  startTls(server: TlsServer, address: { host: string; port: number }): Promise<number> {
    this.#tlsServer = server
    server.maxConnections = gatewayLimits.connectionsMax
    server.on('secureConnection', (socket) => this.#acceptSocket(socket))
    return listen(server, address)
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweep)
    this.#endPressure?.()
    const servers = [this.#server, ...(this.#tlsServer ? [this.#tlsServer] : [])]
    const closed = Promise.all(
      servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    )
    for (const connection of [...this.#connections]) {
      connection.send(stateTopic, stateOf(false, this.#bornAt))
      connection.end(reason.serverShuttingDown, 'the platform is stopping')
    }
    await closed
    await this.#rawLog.flush()
    await this.presence.stop()
  }

  acceptWebSocket(ws: WebSocket, address: string): void {
    const connection = new MqttConnection(this, address, true)
    this.#connections.add(connection)
    connection.attach(
      openWebSocketTransport(ws, {
        received: (bytes) => connection.received(bytes),
        closed: () => connection.closed(),
      }),
    )
  }

  ingestHttp(authorization: string | undefined, body: Buffer, address: string): Promise<IngestResult> {
    const deps = {
      telemetry: this.#telemetry,
      logins: this.logins,
      presence: this.#httpPresence,
      rawLog: this.#rawLog,
      counters: this.#counters,
      now: this.#now,
    }
    return ingestHttp(deps, authorization, body, address)
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

  stats(): GatewayStats {
    const commit = this.#telemetry.stats()
    return {
      connections: this.#connections.size,
      online: this.presence.onlineCount,
      messages: this.#counters.messages,
      points: commit.samples,
      bytes: this.#counters.bytes,
      refusedLogins: this.logins.refused,
      waiting: commit.waiting,
      commit,
    }
  }

  async login(request: LoginRequest): Promise<MachineLogin | LoginRefusal> {
    const askedAt = performance.now()
    const login = await this.logins.check(request)
    if ('machineId' in login && (this.#endedAt.get(login.machineId) ?? -1) >= askedAt) {
      return { refused: reason.serverBusy }
    }
    if ('retryIn' in login) return { refused: reason.connectionRateExceeded }
    return 'wrong' in login ? { refused: reason.badUserNameOrPassword } : login
  }

  opened(connection: MqttConnection, machine: MachineLogin): Session {
    const { machineId } = machine
    const before = this.#byMachine.get(machineId)?.connection
    const session = new MachineSession(
      {
        telemetry: this.#telemetry,
        presence: this.presence,
        rawLog: this.#rawLog,
        counters: this.#counters,
        bus: this.#bus,
        now: this.#now,
      },
      {
        machine,
        address: connection.address,
        protocol: connection.isWebSocket ? 'ws' : 'tcp',
        will: connection.will,
        listens: (topic) => connection.listens(topic),
        send: (topic, payload) => connection.send(topic, payload),
      },
    )
    this.#byMachine.set(machineId, { connection, session })
    if (before) {
      // After the new one is online, so that nobody sees the machine go and come.
      before.end(reason.sessionTakenOver, `taken over from ${connection.address}`)
      const alarm = this.#takeovers.takenOver(machineId, before.address, connection.address, this.#now())
      if (alarm) this.#tell(machineId, alarm)
    }
    return session
  }

  gone(connection: MqttConnection): void {
    this.#connections.delete(connection)
    const machineId = connection.machine?.machineId
    if (machineId !== undefined && this.#byMachine.get(machineId)?.connection === connection) {
      this.#byMachine.delete(machineId)
    }
  }

  isUnderPressure(): boolean {
    return this.#telemetry.isUnderPressure
  }

  statePayload(): Buffer {
    return stateOf(true, this.#bornAt)
  }

  now(): number {
    return this.#now()
  }

  log(level: 'info' | 'warn', fields: object, message: string): void {
    this.#logger[level](fields, message)
  }

  #sweepSilent(): void {
    const now = this.#now()
    for (const connection of this.#connections) connection.checkSilence(now)
    this.#httpPresence.sweep(now)
    const endedBefore = performance.now() - endedKeptMs
    for (const [machineId, at] of this.#endedAt) if (at < endedBefore) this.#endedAt.delete(machineId)
    for (const { machineId, alarm } of this.#takeovers.sweep(now)) this.#tell(machineId, alarm)
  }

  #tell(machineId: number, alarm: AlarmRecord): void {
    this.#telemetry.append(machineId, [alarm]).catch((error) => {
      this.#logger.warn({ err: error, machineId }, 'an alarm of the gateway could not be stored')
    })
  }

  #acceptSocket(socket: Socket): void {
    const connection = new MqttConnection(this, socket.remoteAddress ?? '', false)
    this.#connections.add(connection)
    connection.attach(
      openTcpTransport(socket, {
        received: (bytes) => connection.received(bytes),
        closed: () => connection.closed(),
      }),
    )
  }
}

/** Answers the port, which matters where 0 was asked for. */
async function listen(server: Server, address: { host: string; port: number }): Promise<number> {
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

/** Sparkplug's STATE message (3.0, section 6.4.25): the death carries its birth's time. */
function stateOf(online: boolean, bornAt: number): Buffer {
  return Buffer.from(JSON.stringify({ online, timestamp: bornAt }))
}
