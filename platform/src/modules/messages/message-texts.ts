import type { MessageKind, MessageParams } from './message-kinds.ts'

/** The data of a message's text; fields that a kind does not have are empty or 0. */
export interface TextFacts extends Required<MessageParams> {
  /** As the reader calls it. */
  readonly machine: string
  /** The Bkey who proposed `person`; empty: they applied themselves. */
  readonly proposer: string
  /** The reader's part in the application: it is their own, proposed by them, or theirs to answer. */
  readonly reader: 'applicant' | 'proposer' | 'key'
  /** The applicant's text. */
  readonly note: string
  /** The state of the application. */
  readonly auditState: number
  /** The state of the transfer. */
  readonly transferState: string
  /** The enterprise that offers its device; empty: a person offers their own. */
  readonly giver: string
}

export interface Written {
  readonly title: string
  /** Its instants as `markTime` gives them. */
  readonly body: string
}

/** One language's texts: a missing one does not compile. */
export type MessageTexts = Readonly<Record<MessageKind, (facts: TextFacts) => Written>>
