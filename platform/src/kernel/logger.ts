/**
 * Structured log: an object of fields, then the line's name, noun.verb (`tunnel.opened`). Never give it a token,
 * password, secret or code, nor data from a stranger. Common fields have the same names everywhere: machineId, userId,
 * reqId, err, durationMs.
 */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** For tests and tools without logs. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
