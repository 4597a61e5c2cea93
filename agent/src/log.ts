import type { Clock } from './clock.ts'

export type LogLevel = 'info' | 'warn' | 'error'
export type LogFields = Record<string, string | number | boolean>

/** One line per event. `event` is a fixed word, variable parts go into `fields`; neither may contain a secret. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void

/** Writes JSON lines: `{"at":"2026-01-01T00:00:00.000Z","level":"info","event":"uplink.online"}`. */
export function createLog(write: (line: string) => void, clock: Pick<Clock, 'now'>): Log {
  return (level, event, fields = {}) => {
    write(`${JSON.stringify({ at: new Date(clock.now()).toISOString(), level, event, ...fields })}\n`)
  }
}

/**
 * The short reason of an error for a log line: its code when it has one, else its message. Some libraries
 * throw objects other than `Error`.
 */
export function errorReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { code, message, name } = error as { code?: unknown; message?: unknown; name?: unknown }
  for (const said of [code, message, name]) if (typeof said === 'string' && said !== '') return said
  return String(error)
}
