/**
 * Structured log: an object of fields, then the line's name, noun.verb (`tunnel.opened`). Never give it a token, password,
 * secret or code, nor what a stranger sent. Fields that come again are called the same everywhere: machineId, userId,
 * reqId, err, durationMs.
 */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** For tests and tools that want silence. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
