import type { DueValue } from './change-filter.ts'
import type { Outage } from './connection-plan.ts'
import type { Sample } from './history.ts'
import type { WriteVerdict } from './machine-model.ts'
import type { Message } from './mqtt-line.ts'
import type { AlarmSpec, TagValue } from './profiles/profile.ts'

export type AlarmEntry = Omit<AlarmSpec<never>, 'raised'>

/** An alarm that changed, or is active when a birth is made. */
export interface AlarmChange {
  alarm: AlarmEntry
  raised: boolean
  at: number
  /** Long over: it belongs to the history and is not reported as an event. */
  past?: true
}

/** A command from the platform. */
export type NodeCommand =
  | { kind: 'rebirth' }
  | { kind: 'write'; name: string; value: TagValue; answer: (verdict: WriteVerdict) => Message | undefined }

/** A write that is reported with its read-back. */
export interface WriteTold {
  wished: TagValue
  from: TagValue
  verdict: WriteVerdict
  visit: string | null
}

/** The encoding of a machine's messages: Sparkplug B or plain JSON. Pure but for its own counters. */
export interface Dialect {
  subscriptions: readonly string[]
  will?: () => Message
  /** The first messages of a connection, or of a rebirth. */
  birth(
    values: readonly TagValue[],
    alarms: readonly AlarmChange[],
    told: ReadonlyMap<string, string>,
    at: number,
  ): Message[]
  /** Where the machine is: attributes as JSON. */
  describe(told: ReadonlyMap<string, string>, at: number): Message
  /** The farewell of a machine that is shut down in order. */
  death?: (at: number) => Message
  data(due: readonly DueValue[], at: number): Message
  /** The tag's value after a write. */
  readBack(now: DueValue, write: WriteTold, at: number): Message
  alarm(change: AlarmChange, at: number): Message
  /** Whether an alarm can be marked as past: one that cannot is taken for news of now. */
  marksPastAlarms: boolean
  history(samples: readonly Sample[], at: number): Message
  /** Samples of this stretch were dropped at the machine; absent: it cannot say so. */
  lost?: (span: Outage, at: number) => Message
  /** The size of `history`'s message, without using up a number of the sequence. */
  historyBytes(samples: readonly Sample[]): number
  parse(topic: string, payload: Uint8Array): NodeCommand[]
}
