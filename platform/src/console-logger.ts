import pino from 'pino'
import type { Config } from './config.ts'
import type { Logger } from './logger.ts'

/** One JSON line an entry on stderr; names that could hold a secret are cut out wherever they stand. */
export function createConsoleLogger(level: Config['LOG_LEVEL']): Logger {
  const secretNames = ['password', 'secret', 'token', 'sid', 'ticket', 'authorization', 'cookie']
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
    },
    pino.destination({ dest: 2, sync: false }),
  )
}
