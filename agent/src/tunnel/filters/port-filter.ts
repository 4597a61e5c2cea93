import type { PortCounts, PortOverReason } from '@busbar/link'
import type { WrittenPlaces } from './written-places.ts'

/** Counts and decodes what passes in a connection, byte by byte as it is. Both directions come in any cut. */
export interface PortObserver {
  readonly counts: PortCounts
  readonly written: WrittenPlaces
  /** The tool's next bytes. */
  request(bytes: Buffer): void
  /** The controller's next bytes. */
  answer(bytes: Buffer): void
  /** Nothing comes any more: writes without an answer may have been done. */
  end(): void
}

/** The fate of a tool's bytes. */
export interface FilterStep {
  /** For the controller: whole requests that only read. */
  readonly pass: readonly Buffer[]
  /** For the tool: the protocol's own refusals. */
  readonly answers: readonly Buffer[]
  /** The connection cannot go on. */
  readonly over: PortOverReason | null
}

/** Lets only requests through that read, on one connection. Both directions come in any cut. */
export interface PortFilter {
  readonly counts: PortCounts
  /** The tool's next bytes; after `over` none are taken. */
  request(bytes: Buffer): FilterStep
  /** The tool sends nothing more. */
  endRequests(): void
  /** The place in the controller's next bytes after the last answer that is whole; -1 where none ends in them. */
  answerEnd(bytes: Buffer): number
  /** Whether an answer of the agent may stand here: the controller has not sent half of one. */
  readonly isBetweenAnswers: boolean
}
