import type { MessageKind, MessageParams } from './message-kinds.ts'

/** What a message's text is made of; what a kind does not tell is empty or 0. */
export interface TextFacts extends Required<MessageParams> {
  /** As the reader calls it. */
  readonly machine: string
  /** The Bkey who proposed `person`; empty: they applied themselves. */
  readonly proposer: string
  /** What the application is to the reader: their own, proposed by them, or to be answered. */
  readonly reader: 'applicant' | 'proposer' | 'key'
  /** What the applicant wrote. */
  readonly note: string
  /** Of the application. */
  readonly auditState: number
  /** Of the transfer. */
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
