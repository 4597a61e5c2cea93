import type { Cluster } from '../cluster/cluster.ts'
import { withoutHolds } from '../database/held-connections.ts'
import type { Logger } from '../logger.ts'

/** A value after its commit, as the hub and the page need it. Times are epoch milliseconds. */
export interface TagValueEvent {
  readonly tagId: number
  /** bigint for int64; null for bad quality without a value. */
  readonly value: boolean | number | bigint | string | null
  readonly quality: 'good' | 'stale' | 'bad' | 'uncertain'
  readonly time: number
  readonly receivedAt: number
}

/** A tag's value read back after a write to it. */
export interface ReadBack {
  readonly group: string
  readonly tag: string
  /** The present value of the machine. */
  readonly value: boolean | number | bigint | string | null
  readonly at: number
  /** Why the controller refused; empty if it did not. */
  readonly error: string
  /** The written value; null if the machine does not report it. */
  readonly wished: boolean | number | bigint | string | null
  /** Set for a write made on the machine's own page; undefined for one of the platform's. */
  readonly page:
    | {
        /** The visit of the change; undefined if it was made at the machine itself. */
        readonly visitId: number | undefined
        /** Sent after an outage of the line. */
        readonly late: boolean
        readonly from: boolean | number | bigint | string | null
      }
    | undefined
}

/** The result of one variable of a project's command. */
export interface CommandResult {
  readonly machineCode: string
  /** Empty for a command that could not be read. */
  readonly tag: string
  readonly ok: boolean
  /** Why not; empty otherwise. */
  readonly reason: string
  /** The machine's value afterwards; null where it is not known. */
  readonly value: boolean | number | string | null
}

/** The messages of the bus, by topic. It only wakes and carries: losing all of it loses no data. */
export interface BusEvents {
  /** New latest values of one machine, each tag at most once, after their commit. */
  values: { readonly machineId: number; readonly values: readonly TagValueEvent[] }
  /** Samples of the past were committed: charts of that time changed. Epoch milliseconds, `to` included. */
  late: { readonly machineId: number; readonly from: number; readonly to: number }
  /** A machine came or went. */
  presence: { readonly machineId: number; readonly online: boolean; readonly at: number }
  /** Tags of a machine were added or redefined. */
  tags: { readonly machineId: number }
  /** Newest values of a machine were written from the log of a node that is gone: memory may have older ones. */
  latest: { readonly machineId: number }
  /** Values a machine read back after writes, after their commit. */
  readBacks: { readonly machineId: number; readonly readBacks: readonly ReadBack[] }
  /** A machine answered a command sent as `rpc/request/{n}`. */
  rpcAnswers: { readonly machineId: number; readonly request: number; readonly error: string | null }
  /** A QR code to sign in with was scanned, confirmed or cancelled; `key` is its token's hash, hexadecimal. */
  qrLogin: { readonly key: string; readonly state: 'scanned' | 'confirmed' | 'cancelled' }
  /** Rights changed: read right_changes. */
  rights: Record<never, never>
  /** Events of people's pages were written: look into user_events. */
  userEvents: Record<never, never>
  /**
   * Facts were recorded: read facts. `kinds`: only durable followers of these need to read; `atOnce`: somebody waits
   * for them.
   */
  facts: { readonly kinds?: readonly string[]; readonly atOnce?: boolean }
  /** Messages were written to these people beside the mailbox: their pages need the new number. */
  messages: { readonly userIds: readonly number[] }
  /** Jobs were queued; `cancelled`: the id of a running one that is to end. */
  jobs: { readonly queue: string; readonly cancelled?: string }
  /** A machine's connection to a node was written. One with a lower epoch, at another node, is over. */
  held: { readonly machineId: number; readonly nodeId: string; readonly epoch: number }
  /** A visit's bar came onto the first page of a node, is still there, or left its last page. */
  attendance: {
    readonly nodeId: string
    readonly userId: number
    readonly visitId: number
    readonly isAttended: boolean
  }
  /** A person pressed for a visit: its page opens without asking them again, whichever process it is at. */
  visitAsked: { readonly visitId: number; readonly path: string; readonly askedAt: number }
  /** Rows were appended to a project's stream. */
  projectRows: { readonly projectId: number; readonly nextNo: number }
  /** Destinations of projects were added, changed or removed: senders look at them. */
  destinations: Record<never, never>
  /** The result of a command of a project; each of its clients may have subscribed to it. */
  projectResults: { readonly projectId: number; readonly result: CommandResult }
  /** A connection has a session of our own MQTT endpoint: one with another holder is over. */
  projectSessions: { readonly projectId: number; readonly clientId: string; readonly holder: string }
  /** Machines told something of their place: read told_places. */
  toldPlaces: Record<never, never>
  /** A machine's tunnel opened, was replaced or went. */
  tunnels: { readonly machineId: number }
}

/** Whether this process published an event, or another one. */
export type Origin = 'here' | 'elsewhere'

export interface Bus {
  publish<Topic extends keyof BusEvents>(topic: Topic, event: BusEvents[Topic]): void
  /** Answers the function that ends the subscription. */
  subscribe<Topic extends keyof BusEvents>(
    topic: Topic,
    listener: (event: BusEvents[Topic], origin: Origin) => void,
  ): () => void
}

/**
 * The topics that all processes receive. Values of machines go to their watchers by the edge link; the process that
 * sees a machine come or go notifies the people itself.
 */
const sharedTopics = [
  'late',
  'latest',
  'readBacks',
  'rpcAnswers',
  'qrLogin',
  'rights',
  'userEvents',
  'facts',
  'jobs',
  'attendance',
  'held',
  'projectRows',
  'destinations',
  'projectResults',
  'projectSessions',
  'tags',
  'tunnels',
  'visitAsked',
] as const satisfies readonly (keyof BusEvents)[]
const isShared: ReadonlySet<keyof BusEvents> = new Set(sharedTopics)

type Listener = (event: never, origin: Origin) => void

/**
 * The bus of a process: its listeners run at once, in the order they were added; one that throws does not stop the
 * others. With a cluster the shared topics reach the other processes as well.
 */
export function createBus(logger: Logger, cluster?: Cluster): Bus {
  const listeners = new Map<keyof BusEvents, Set<Listener>>()
  const tell = (topic: keyof BusEvents, event: unknown, origin: Origin) => {
    for (const listener of listeners.get(topic) ?? []) {
      try {
        // The publisher does not wait for what a listener begins.
        withoutHolds(() => listener(event as never, origin))
      } catch (error) {
        logger.error({ err: error, topic }, 'listener.failed')
      }
    }
  }
  for (const topic of sharedTopics)
    cluster?.subscribe(`bus.${topic}`, (event) => tell(topic, event, 'elsewhere'))
  return {
    publish(topic, event) {
      tell(topic, event, 'here')
      if (isShared.has(topic)) cluster?.publish(`bus.${topic}`, event)
    },
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set)
      set.add(listener as Listener)
      return () => set.delete(listener as Listener)
    },
  }
}

/** The bus of a process that is the only one. */
export const createLocalBus = (logger: Logger): Bus => createBus(logger)
