import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
import type { telemetry } from '@busbar/contract'
import type { AgentInfo, AgentPort } from '@busbar/link'
import type { ClockReading } from '../edge/ingest/machine-clocks.ts'
import type { PreparedWrite, TagWrite, Unwritable } from '../edge/ingest/tag-write.ts'
import type { TagValueEvent } from '../kernel/bus/bus.ts'
import type { Database } from '../kernel/database/database.ts'

export type { ClockReading, PreparedWrite, TagWrite, Unwritable }

/** A machine's presence by its connections. Instants in epoch milliseconds. */
export interface MachinePresence {
  readonly online: boolean
  /** Whether this process holds it. */
  readonly isHere: boolean
  /** Undefined if no running process has seen it: then the machine's row is used. */
  readonly lastSeenAt: number | undefined
  /** The connection that makes it online. */
  readonly connection:
    | { readonly protocol: string; readonly address: string; readonly startedAt: number }
    | undefined
  /** Undefined if no running process has seen its clock: then the machine's row is used. */
  readonly clock: ClockReading | undefined
}

/** A tag as its present owner may see it; `ownedSince` is that of the machine's row. */
export interface OwnedTag {
  readonly machineId: number
  readonly tagId: number
  readonly ownedSince: Date | null
}

/** A lease on a machine's values. */
export interface ValuesWatch {
  end(): void
}

export type TunnelTarget = AgentInfo['targets'][number]

/** A stream in a tunnel; `busy`: the tunnel is full; `gone`: it is not open any more. */
export type OpenedStream = ClientHttp2Stream | 'busy' | 'gone'

/** A stream of a visit to a target, or a question of the platform to the agent itself. */
export type StreamPurpose = 'visit' | 'agent'

/** One tunnel of a machine; a newer one that replaces it is another line. */
export interface TunnelLine {
  /** False from when it is known that the tunnel ended. */
  readonly isOpen: boolean
  /** The targets that the agent offers; rejects when it does not answer in time. */
  targets(): Promise<readonly TunnelTarget[]>
  /** The TCP ports that the agent opens, as of the tunnel's begin; rejects as `targets` does. */
  ports(): Promise<readonly AgentPort[]>
  /** The same as they are now, with their last round trips. */
  portsNow(): Promise<readonly AgentPort[]>
  /** The parts of its configuration that the agent lets the platform change; rejects as `targets` does. */
  remote(): Promise<readonly 'drivers'[]>
  /** Round trip to the agent in milliseconds; rejects when it does not answer in time. */
  ping(): Promise<number>
  /**
   * Opens a stream for a purpose, to which its target must belong. Headers are HTTP/2's own (`:method`, `:path`, `:authority` = target, `:protocol` for a WebSocket);
   * rejects where they are not valid. Events of the stream come in a later turn than the answer. To break it off use
   * `resetStream` of link.
   */
  openStream(
    headers: OutgoingHttpHeaders,
    options: { readonly endStream: boolean; readonly purpose: StreamPurpose },
  ): Promise<OpenedStream>
}

/**
 * The one port to the process that holds a machine. Another process may answer, so that each call takes time at most
 * by its deadline (`answerMsMax`) and then rejects with `NotReachable`.
 */
export interface EdgeLink {
  /** The answer contains every machine of the request. `trx`: the transaction that asks, which may not wait for a second connection. */
  presence(machineIds: readonly number[], trx?: Database): Promise<ReadonlyMap<number, MachinePresence>>
  /** For each machine in turn 1 if this process holds it now, else 0; other processes are not asked. */
  peekHere(machineIds: readonly number[]): Uint8Array
  /** Newest values with the quality of now; tags without a value are left out. */
  latest(machineId: number, tagIds?: readonly number[]): Promise<readonly TagValueEvent[]>
  /** The same of every tag of several machines. */
  latestOfEach(machineIds: readonly number[]): Promise<ReadonlyMap<number, readonly TagValueEvent[]>>
  /** The same, by tag, if the holder has it in memory: the store is up to a second older. */
  latestHeld(tags: readonly OwnedTag[]): Promise<ReadonlyMap<number, TagValueEvent>>
  /** Calls `onValues` with new values of a machine from when it resolves until it is ended. */
  watch(machineId: number, onValues: (values: readonly TagValueEvent[]) => void): Promise<ValuesWatch>
  /**
   * A write that can be sent to a machine that is online; nothing is queued for one that is away. `userId`: the person
   * who has the right to it, which the caller has checked.
   */
  prepareWrite(
    machineId: number,
    write: TagWrite,
    userId: number,
  ): Promise<PreparedWrite<Promise<boolean>> | Unwritable>
  /** The latest messages of a machine, newest first, stored or not. */
  rawMessages(machineId: number, limit: number): Promise<telemetry.RawMessage[]>
  /** The tunnel that a machine has now. */
  tunnel(machineId: number): Promise<TunnelLine | undefined>
  /** Called when a machine's tunnel opened, was replaced or went; answers a function that unsubscribes. */
  onTunnelChange(listener: (machineId: number) => void): () => void
}
