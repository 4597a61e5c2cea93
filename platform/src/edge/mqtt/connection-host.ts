import type { Histogram } from '../../kernel/metrics/index.ts'
import type { Sent } from '../ingest/known-messages.ts'
import type { MachineLogin } from '../login/login.ts'
import type { ProjectLogin, ProjectSession, WantedSession } from '../projects/project-door.ts'
import type { AlarmTurns } from './alarm-turns.ts'
import type { NotItsOwn } from './packet-fault.ts'
import type { ReasonCode } from './reasons.ts'
import type { TurnQueue } from './turn-queue.ts'
import type { UnfinishedPackets } from './unfinished-packets.ts'

export interface LoginRequest {
  readonly code: string
  readonly secret: Buffer
  readonly address: string
}

export interface LoginRefusal {
  readonly refused: ReasonCode
}

/** The parts of the gateway that a connection needs. */
export interface ConnectionHost<Connection> {
  /** From each message to its acknowledgement. */
  readonly acknowledgeSeconds: Histogram
  /** The queue of connections that wait to be read. */
  readonly turns: TurnQueue
  /** The connections whose next message is an alarm without room in the store. */
  readonly alarmTurns: AlarmTurns
  readonly unfinished: UnfinishedPackets
  login(request: LoginRequest): Promise<MachineLogin | ProjectLogin | LoginRefusal>
  /** The project is logged in: an earlier connection of the same client has to end. */
  openProject(
    connection: Connection,
    project: ProjectLogin,
    wanted: WantedSession,
  ): Promise<ProjectSession | LoginRefusal>
  /** The machine is logged in: an earlier connection of it has to end. */
  opened(connection: Connection, machine: MachineLogin): Session
  /** The connection is over, logged in or not. */
  gone(connection: Connection): void
  /** True while the store cannot take more. */
  isUnderPressure(): boolean
  /** The topic on which the platform, as a Sparkplug 3.0 host, reports that it is online. */
  readonly stateTopic: string
  /** The platform's own STATE message, for its subscribers. */
  statePayload(): Buffer
  /** Milliseconds by the monotonic clock. */
  ticks(): number
  /** One that is signed in used a topic or a client id that is not its own. */
  refused(login: MachineLogin | ProjectLogin, fault: NotItsOwn, address: string): void
  log(level: 'info' | 'warn', fields: object, message: string): void
}

/** The session of a connection that is logged in. */
export interface Session {
  /** A message of the machine. Resolves when it may be acknowledged; throws when it must not be. Undefined: at once. */
  publish(topic: string, payload: Buffer, sent: Sent): Promise<void> | undefined
  /** Takes the messages that wait for their turn. */
  takeHeld(): void
  /** A long message is being read; later messages wait. */
  readonly isReading: boolean
  /** Milliseconds until the machine may send more values; 0: at once. */
  waitMs(): number
  /** The end of this connection, after which the machine comes to another node: it has not gone. */
  movedOn(): void
  /** The end; `will` is the client's will, if it did not leave by itself. */
  ended(will: Will | undefined): void
}

export interface Will {
  readonly topic: string
  readonly payload: Buffer
}
