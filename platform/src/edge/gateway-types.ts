import type { Server as TlsServer } from 'node:tls'
import type { telemetry as contract } from '@busbar/contract'
import type { WebSocket } from 'ws'
import type { Bus } from '../kernel/bus/bus.ts'
import type { Database } from '../kernel/database/database.ts'
import type { Facts } from '../kernel/facts/facts.ts'
import type { IngestPort } from '../kernel/http/ingest-route.ts'
import type { Logger } from '../kernel/logger.ts'
import type { Distributed } from '../kernel/metrics/index.ts'
import type { Telemetry, TelemetryStats } from '../modules/telemetry/index.ts'
import type { MachineClocks } from './ingest/machine-clocks.ts'
import type { IngestCounters } from './ingest/machine-session.ts'
import type { PreparedWrite, TagWrite, Unwritable } from './ingest/tag-write.ts'
import type { LineNotes } from './line-notes/line-notes.ts'
import type { LoginGuard } from './login/login-guard.ts'
import type { Newcomer } from './mqtt/newcomers.ts'
import type { Presence } from './presence/presence.ts'
import type { ProjectDoor } from './projects/project-door.ts'

export interface GatewayOptions {
  readonly db: Database
  /** Pool for commits of machines' data; `db` where missing. */
  readonly commits?: Database
  readonly bus: Bus
  /** Records machines that come and go; always set in the platform. */
  readonly facts?: Pick<Facts, 'recordAll' | 'wake'>
  readonly logger: Logger
  readonly telemetry: Telemetry
  /** This process among those on one database. */
  readonly nodeId?: string
  /** The host id of the platform's STATE topic. */
  readonly hostId?: string
  /** Values a second of one machine. */
  readonly machineValuesPerS?: number
  /** Addresses whose MQTT connections begin with the PROXY protocol; none where missing. */
  readonly isProxy?: ((address: string) => boolean) | undefined
  readonly now?: () => number
  /** Milliseconds of a monotonic clock, for silence. */
  readonly ticks?: () => number
  /** Runs something once after this time; the answer cancels it. */
  readonly after?: (ms: number, run: () => void) => () => void
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** Counts of incoming messages. */
export type IngestTransport = 'tcp' | 'websocket' | 'http'

export interface GatewayStats {
  /** Open now, over TCP and WebSocket. */
  readonly connections: number
  /** The part of them over WebSocket. */
  readonly webSockets: number
  readonly online: number
  /** Publishes and HTTP ingests taken since the start. */
  readonly messages: number
  readonly points: number
  readonly bytes: number
  readonly byTransport: Readonly<Record<IngestTransport, Readonly<IngestCounters>>>
  readonly refusedLogins: number
  /** Messages of QoS 0 dropped because their machine sent too many values. */
  readonly tooFast: number
  /** Connections that have not signed in. */
  readonly newcomers: number
  /** Connections refused because there were too many of these. */
  readonly refusedConnections: number
  /** Bytes of packets that have not come whole. */
  readonly unfinishedBytes: number
  /** Connections ended for such a packet. */
  readonly endedUnfinished: number
  /** Records whose commit is awaited. */
  readonly waiting: number
  /** Raw messages that wait to be kept. */
  readonly rawWaiting: number
  /** From each message with QoS 1 or 2 to its acknowledgement. */
  readonly acknowledgeSeconds: Distributed
  readonly commit: TelemetryStats
}

/** The entrance of machines: the MQTT endpoint, its WebSocket twin, and HTTP ingest. */
export interface Gateway {
  readonly presence: Presence
  /** The offsets of machines' clocks. */
  readonly clocks: MachineClocks
  /** Checks machines' secrets, for tunnels too: failures count together wherever they are tried. */
  readonly logins: LoginGuard
  readonly lineNotes: Pick<LineNotes, 'tunnelOpened' | 'flush'>
  /** Listens; answers the port, which matters for port 0. Undefined: without a plain listener. */
  start(address: Address): Promise<number>
  start(address: Address | undefined): Promise<number | undefined>
  /** Listens with TLS too; `server` makes the handshakes and does not listen itself. */
  startTls(server: TlsServer, address: Address): Promise<number>
  /**
   * Takes no more connections and messages; resolves when all messages are committed and acknowledged, or after
   * `patienceMs`. The machines send again the messages that were not committed by then.
   */
  drain(patienceMs: number): Promise<void>
  /**
   * Takes no more machines, and lets those that are here go to other nodes, spread over `ms`. Messages that were read are
   * stored and acknowledged before. A machine is told as gone only if it comes to no node in time.
   */
  leave(ms: number): Promise<void>
  /** Announces the stop of the platform, and ends every connection. */
  stop(): Promise<void>
  /** Lets projects sign in as well; without it their logins are wrong ones. */
  openTo(door: ProjectDoor): void
  /** Counts a connection that has not signed in; undefined when there are too many, then it is refused. */
  admit(address: string): Newcomer | undefined
  /** Takes over a WebSocket of the subprotocol `mqtt` that was admitted. */
  acceptWebSocket(ws: WebSocket, address: string, newcomer: Newcomer): void
  /** `POST /api/v1/ingest`. */
  readonly ingestHttp: IngestPort['ingestHttp']
  /** Sends a message to a machine at QoS 0; false when it is not here or did not subscribe. */
  send(machineId: number, topic: string, payload: Buffer): boolean
  /** A write in the machine's own protocol, ready to be sent. It is not queued for a machine that is away. */
  prepareWrite(machineId: number, write: TagWrite): PreparedWrite | Unwritable
  /** Ends a machine's connection after its secret became invalid, and a login with it that is being checked. */
  endMachine(machineId: number): void
  /** Another node has a newer connection of a machine: the one here is over. */
  heldElsewhere(machineId: number, epoch: number): void
  /** A machine has another owner: ends its connection, so that it sends a new birth, and drops its state. */
  disown(machineId: number): void
  /** A machine's adapter or time zone changed; its next messages are read by them. */
  refreshLanguage(machineId: number): Promise<void>
  /** The latest messages of a machine, newest first, stored or not. */
  listRawMessages(machineId: number, limit: number): Promise<contract.RawMessage[]>
  stats(): GatewayStats
}
