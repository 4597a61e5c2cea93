import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Database } from '../kernel/database/database.ts'

interface Described {
  readonly name: readonly string[]
  readonly summary: string
  readonly usage: string
}

/** A command of `busbar` that opens no database; `prepare` as for others. */
export interface FileCommand extends Described {
  readonly needsDatabase: false
  prepare(args: readonly string[]): () => Promise<void>
}

/** A command of `busbar`: `prepare` checks the words before anything is opened. */
export interface Command extends Described {
  readonly needsDatabase?: true
  /**
   * Creates the embedded database if it does not exist; any other command refuses, because it would work on an empty
   * one.
   */
  readonly makesDatabase?: boolean
  /**
   * Throws CommandError when the words are wrong. `samplesDb`: the database of TELEMETRY_URL, where that is set; it may be
   * away, or of another version.
   */
  prepare(args: readonly string[]): (db: Database, samplesDb?: Database) => Promise<void>
}

/** A fault that the person at the keyboard can correct; the message explains it. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Reads `--name value` options; an unknown or missing one is named. */
export function readOptions<T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  required: readonly (keyof T & string)[],
): Record<string, string | undefined> {
  let values: Record<string, unknown>
  try {
    values = parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  }
  const missing = required.filter((name) => !values[name])
  if (missing.length) throw new CommandError(`Missing: ${missing.map((name) => `--${name}`).join(', ')}`)
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === 'string'),
  ) as Record<string, string>
}
