import { every } from './every.ts'
import type { Logger } from './logger.ts'

const intervalMs = 1_000
/** Lines of more kinds than this share one count, because a stranger may cause any number of kinds. */
const kindsMax = 200

type Level = 'warn' | 'error'

/** A logger for lines that a stranger can repeat. */
export interface LogOnce {
  /** Lines of one `kind` are counted together; without it those with the same message. */
  warn(fields: object, message: string, kind?: string): void
  error(fields: object, message: string, kind?: string): void
  /** Writes the lines that are still counted, and ends the timer. */
  stop(): void
}

interface Repeated {
  readonly level: Level
  readonly message: string
  fields: object
  /** Lines since the last one written. */
  count: number
}

/**
 * Writes the first line of a kind at once, and after it at most one a second: the latest one, with the number of lines
 * as `repeated`. A flood of errors must cost neither the disk nor the reader.
 */
export function createLogOnce(logger: Pick<Logger, Level>): LogOnce {
  const kinds = new Map<string, Repeated>()
  let timer: NodeJS.Timeout | undefined

  const write = ({ level, fields, count, message }: Repeated) =>
    logger[level]({ ...fields, repeated: count }, message)

  function add(level: Level, fields: object, message: string, kind: string): void {
    const own = `${level} ${kind}`
    const isKnown = kinds.has(own) || kinds.size < kindsMax
    const key = isKnown ? own : level
    const known = kinds.get(key)
    if (known) {
      known.count++
      known.fields = fields
      return
    }
    logger[level](fields, message)
    kinds.set(key, { level, message: isKnown ? message : 'log.merged', fields, count: 0 })
    timer ??= every(intervalMs, flush, logger)
  }

  function flush(): void {
    for (const [key, repeated] of kinds) {
      if (repeated.count === 0) kinds.delete(key)
      else write(repeated)
      repeated.count = 0
    }
    if (kinds.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    warn: (fields, message, kind = message) => add('warn', fields, message, kind),
    error: (fields, message, kind = message) => add('error', fields, message, kind),
    stop() {
      clearInterval(timer)
      timer = undefined
      for (const repeated of kinds.values()) if (repeated.count > 0) write(repeated)
      kinds.clear()
    },
  }
}
