import type { Connection, OutgoingError } from '../../kernel/outgoing-http/index.ts'
import type { StreamRow } from '../project-stream/index.ts'
import type { LaneSettings } from './lanes-store.ts'
import type { TryEnd } from './retry-rules.ts'

/** A part of a request or of an answer that is kept to be read. */
export const shownBytesMax = 65_536

/** A row with the text that its receiver gets. */
export interface SentRow extends Pick<StreamRow, 'text' | 'linkId'> {
  readonly sent: string
}

/** Rows that go together: the receiver has accepted all of them, or none counts. */
export interface Sending {
  /** The same in every try. */
  readonly id: string
  readonly rows: readonly SentRow[]
  readonly now: number
  /** Takes them back while the receiver does not have all of them. */
  readonly signal?: AbortSignal | undefined
  /** On a connection of its own, as a test wants that shows how long it takes. */
  readonly isAlone?: boolean
}

/** Rows that were sent, and how that ended. */
export interface Attempt {
  readonly end: TryEnd
  readonly ms: number
  readonly bytes: number
  /** The fault that cut the rest of an answer, though it was a success. */
  readonly cut?: TryEnd['fault'] | undefined
  readonly connection: Connection | undefined
  /** Until a broker let us in. */
  readonly signInMs?: number | undefined
  readonly answerMs: number | undefined
  readonly error: OutgoingError | undefined
  /** The words of the connection or of the broker, where there are any. */
  readonly detail: string
  /** The bytes that were sent, and those that came, up to a length, for people to read. */
  showRequest(): string
  showAnswer(): string
}

/** The way to one destination. It may keep a connection between two sendings, which follow each other. */
export interface Transport {
  /** @throws the reason of the signal where it took the rows back */
  send(settings: LaneSettings, sending: Sending): Promise<Attempt>
  /**
   * Whether to send now, also without rows: a node of Sparkplug is born while its destination is on, again after a break
   * and when a host asks, and machines that left the project die.
   */
  isDue?(settings: LaneSettings): boolean
  /** These links ended: what is known of their machines goes no further. */
  forget?(linkIds: ReadonlySet<number>): void
  /** Ends what is kept, and what is on its way. */
  close(): void
}

/** Text of bytes: others than text are shown as U+FFFD, and PostgreSQL keeps no NUL. */
export const showBytes = (...parts: readonly (Buffer | string)[]): string =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))
    .subarray(0, shownBytesMax)
    .toString()
    .toWellFormed()
    .replaceAll('\0', '\uFFFD')
