import type { Logger } from '../logger.ts'

/** A value after its commit, as the hub and the page need it. Times are epoch milliseconds. */
export interface TagValueEvent {
  readonly tagId: number
  /** bigint for int64; null where the quality is bad and there is no value. */
  readonly value: boolean | number | bigint | string | null
  readonly quality: 'good' | 'stale' | 'bad' | 'uncertain'
  readonly time: number
  readonly receivedAt: number
}

/** A tag's value read back after a write to it. */
export interface ReadBack {
  readonly group: string
  readonly tag: string
  /** What the machine has now. */
  readonly value: boolean | number | bigint | string | null
  readonly at: number
  /** Why the controller refused; empty where it did not. */
  readonly error: string
  /** The value it was to become; null where the machine does not tell. */
  readonly wished: boolean | number | bigint | string | null
  /** Set for a write made on the machine's own page; undefined for one of the platform's. */
  readonly page:
    | {
        /** The visit it came by; undefined: somebody at the machine itself. */
        readonly visitId: number | undefined
        /** Told after an outage of the line. */
        readonly late: boolean
        readonly from: boolean | number | bigint | string | null
      }
    | undefined
}

/** What travels on the bus, by topic. It wakes and carries; losing all of it loses no data. */
export interface BusEvents {
  /** New latest values of one machine, each tag at most once, after their commit. */
  values: { readonly machineId: number; readonly values: readonly TagValueEvent[] }
  /** Samples of the past were committed: charts of that time changed. Epoch milliseconds, `to` included. */
  late: { readonly machineId: number; readonly from: number; readonly to: number }
  /** A machine came or went. */
  presence: { readonly machineId: number; readonly online: boolean; readonly at: number }
  /** Tags of a machine were added or redefined. */
  tags: { readonly machineId: number }
  /** Values a machine read back after writes, after their commit. */
  readBacks: { readonly machineId: number; readonly readBacks: readonly ReadBack[] }
  /** A machine answered a command sent as `rpc/request/{n}`. */
  rpcAnswers: { readonly machineId: number; readonly request: number; readonly error: string | null }
  /** A QR code to sign in with was scanned, confirmed or cancelled; `key` is its token's hash, hexadecimal. */
  qrLogin: { readonly key: string; readonly state: 'scanned' | 'confirmed' | 'cancelled' }
  /** Somebody's rights changed: look into right_changes. */
  rights: Record<never, never>
  /** Events of people's pages were written: look into user_events. */
  userEvents: Record<never, never>
  /** Facts were recorded: look into facts. `kinds`: durable followers of others have nothing to look for; `atOnce`: somebody waits for them. */
  facts: { readonly kinds?: readonly string[]; readonly atOnce?: boolean }
  /** Messages were written to these people beside the mailbox: their pages are to be told how many. */
  messages: { readonly userIds: readonly number[] }
  /** Jobs were queued; `cancelled`: the id of a running one that is to end. */
  jobs: { readonly queue: string; readonly cancelled?: string }
}

export interface Bus {
  publish<Topic extends keyof BusEvents>(topic: Topic, event: BusEvents[Topic]): void
  /** Answers the function that ends the subscription. */
  subscribe<Topic extends keyof BusEvents>(
    topic: Topic,
    listener: (event: BusEvents[Topic]) => void,
  ): () => void
}

/** The bus of one process: listeners run at once, in the order they came; one that throws stops nobody else. */
export function createLocalBus(logger: Logger): Bus {
  const listeners = new Map<keyof BusEvents, Set<(event: never) => void>>()
  return {
    publish(topic, event) {
      for (const listener of listeners.get(topic) ?? []) {
        try {
          listener(event as never)
        } catch (error) {
          logger.error({ err: error, topic }, 'listener.failed')
        }
      }
    },
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set)
      set.add(listener as (event: never) => void)
      return () => set.delete(listener as (event: never) => void)
    },
  }
}
