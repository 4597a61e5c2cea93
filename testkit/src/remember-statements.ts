import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import pg from 'pg'

/** Names the file of the statements, for the test processes. */
export const statementsVariable = 'BUSBAR_TEST_STATEMENTS'
const framesMax = 60
/** As the client itself turns values into text; it has no types. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue(value: unknown): unknown
}

/** Of the product's sources: the statement of a test is its own affair. */
const productFrame = /\/platform\/src\/(?!kernel\/database\/database\.ts)[^:)]+\.ts:\d+/
const testFrame = /\/(?:testkit|test-support|e2e|bench)\/|\.test\.tsx?:/

/** A statement that the product sent, with its values as text, and the line that sent it. */
export interface SeenStatement {
  readonly text: string
  readonly values: readonly (string | null)[]
  readonly from: string
}

/** Writes each different statement that the product sends in this process to the file. */
function rememberStatements(): void {
  const file = process.env[statementsVariable]
  const holder = globalThis as typeof globalThis & { busbarSeenStatements?: Set<string> }
  if (!file || holder.busbarSeenStatements) return
  const seen = new Set<string>()
  holder.busbarSeenStatements = seen
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, config: unknown, ...rest: unknown[]) {
    const named = config as { text?: unknown; values?: unknown } | undefined
    const text = typeof config === 'string' ? config : named?.text
    if (typeof text === 'string' && !seen.has(text)) {
      seen.add(text)
      const from = findSender()
      const given = Array.isArray(rest[0]) ? rest[0] : Array.isArray(named?.values) ? named.values : []
      if (from) appendFileSync(file, `${JSON.stringify({ text, values: given.map(asText), from })}\n`)
    }
    return (query as (...given: unknown[]) => unknown).call(this, config, ...rest)
  } as typeof query
}

/** A value as the server reads it in a text. */
function asText(value: unknown): string | null {
  const prepared = prepareValue(value)
  return Buffer.isBuffer(prepared)
    ? `\\x${prepared.toString('hex')}`
    : prepared === null
      ? null
      : String(prepared)
}

/** The innermost frame that is the product's or a test's; undefined where that is a test's, or there is none. */
function findSender(): string | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = framesMax
  const frames = new Error().stack?.split('\n') ?? []
  Error.stackTraceLimit = stackTraceLimit
  for (const frame of frames.filter((each) => !each.includes('remember-statements'))) {
    const sender = productFrame.exec(frame)
    if (sender && !testFrame.test(frame)) return sender[0].replace(/^\/platform\//, 'platform/')
    if (testFrame.test(frame)) return undefined
  }
  return undefined
}

// Vitest loads it before each test file of a worker.
rememberStatements()
