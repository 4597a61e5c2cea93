import pino from 'pino'
import type { Config } from '../config.ts'
import type { Logger } from './logger.ts'
import { redactFields, redactText } from './redact.ts'

/**
 * One JSON line an entry, on stderr: `time` (ISO 8601), `level`, `msg`, then the entry's fields. Possible secrets are
 * removed from fields and message, in any position.
 */
export function createConsoleLogger(
  level: Config['LOG_LEVEL'],
  destination: pino.DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors reach `formatters.log` unchanged: it lets only chosen fields through.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }), log: redactFields },
      hooks: {
        logMethod([fields, message, ...rest], method) {
          method.apply(this, [
            fields,
            typeof message === 'string' ? redactText(message) : message,
            ...rest,
          ] as never)
        },
      },
    },
    destination,
  )
}
