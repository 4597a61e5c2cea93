import { configDefaults, configLimits } from '../../config/config.ts'
import type { Fields } from '../../config/fields.ts'

/** The fields of a polled connection that are about its line. */
export interface LineOptions {
  /** For the connection, if there is one, and for each answer. */
  timeoutMs: number
  /** From an answer to the next question, for controllers that need a rest. */
  pauseMs: number
  /** The connection ends with each poll, so that a controller with few can take others. */
  closeAfterPoll: boolean
}

export function parseLineOptions(fields: Fields): LineOptions {
  const { timeoutMsMin, timeoutMsMax, pauseMsMax } = configLimits
  return {
    timeoutMs: fields.integer('timeoutMs', timeoutMsMin, timeoutMsMax) ?? configDefaults.timeoutMs,
    pauseMs: fields.integer('pauseMs', 0, pauseMsMax) ?? 0,
    closeAfterPoll: fields.boolean('closeAfterPoll') ?? false,
  }
}
