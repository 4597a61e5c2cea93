import type { ErrorCode, Text } from '@busbar/contract'

/** An error a person can meet: thrown by services, turned into the envelope by `api.ts`. */
export class Failure extends Error {
  readonly code: ErrorCode
  /** Goes out as `hwdata` beside the error, e.g. the seconds to wait. */
  readonly data: Record<string, unknown> | undefined
  /** The field a 400 names. */
  readonly field: string | undefined
  /** A text with names and numbers that replaces the code's own text. */
  readonly text: Text | undefined

  constructor(code: ErrorCode, more: { data?: Record<string, unknown>; field?: string; text?: Text } = {}) {
    super(code)
    this.name = 'Failure'
    this.code = code
    this.data = more.data
    this.field = more.field
    this.text = more.text
  }
}
