import { within } from '../kernel/deadline.ts'
import { Failure } from '../kernel/http/failure.ts'

/** The process that holds a machine cannot be reached now. The machine itself may be online. */
export class NotReachable extends Failure {
  constructor() {
    super('NOT_REACHABLE')
  }
}

/** Time limit of each question to the process that holds a machine, in ms. */
export const answerMsMax = {
  presence: 5_000,
  latest: 10_000,
  rawMessages: 10_000,
  write: 5_000,
  /** For a list, which has the stored values as well. */
  held: 1_000,
  tunnel: 5_000,
  /** By the agent itself. */
  targets: 5_000,
  ping: 5_000,
} as const

/** The answer, or `NotReachable` after `ms`. */
export const reachedWithin = <Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> =>
  within(ms, answer, () => new NotReachable())
