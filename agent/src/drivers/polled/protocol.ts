import type { TagValue } from '../../tag.ts'

/** A connection to one controller, which `PolledLine` opens and closes. */
export interface OpenLine {
  /** False as soon as the other side has closed. */
  isOpen(): boolean
  close(): void
}

/** One question to a controller, for tags with these numbers within their connection. */
export interface Question {
  readonly items: readonly { readonly index: number }[]
}

/** The result for one tag. A tag without an answer has no value this time, and nothing is learnt from it. */
export type TagAnswer =
  /** `isDoubtful`: it may be another one; its quality is uncertain. */
  | { readonly index: number; readonly value: TagValue; readonly isDoubtful?: boolean }
  | { readonly index: number; readonly refusal: string; readonly retry: Retry }

/**
 * When a refused tag is read again: `later`, because the answer will be the same; `alone`, each time in a question of its
 * own, so that it does not spoil that of the others; `together` with the others, which it does not disturb.
 */
export type Retry = 'later' | 'alone' | 'together'

/** The part of a driver that knows its kind of controller. */
export interface Protocol<Line extends OpenLine, Asked extends Question> {
  /** Connects within a limit of its own; rejects in words for a person. */
  open(): Promise<Line>
  /** As few questions as this controller takes for these tags. */
  plan(line: Line, indexes: readonly number[]): Asked[]
  /**
   * Raw values and refusals. Rejects if the controller did not answer or can no longer be trusted; the line is closed
   * then. `replan`: the controller showed that it takes other questions.
   */
  read(line: Line, asked: Asked, replan: () => void): Promise<TagAnswer[]>
  /** Writes a raw value. Rejects with `Refused` in words for a person, or as `read` does. */
  write(line: Line, index: number, raw: TagValue): Promise<void>
}

/** No answer came in time. The question may still be answered, so the line is not used again. */
export class NoAnswer extends Error {
  constructor(timeoutMs: number, hint = '') {
    super(`no answer within ${timeoutMs} ms${hint}`)
    this.name = 'NoAnswer'
  }
}
