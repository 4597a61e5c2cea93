import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import { every } from '../../kernel/every.ts'
import type { Logger } from '../../kernel/logger.ts'

const flushMs = 2_000
const rowsPerWrite = 1_000
/** Machines that are noted between two writes; of further ones nothing is noted. */
const waitingMax = 20_000

/**
 * How a connection of a machine ended: it signed off, was silent, was cut by the network, or was ended by the platform for
 * the reason given.
 */
export type Farewell = 'goodbye' | 'silence' | 'lost' | 'secretRenewed' | 'messagesRefused' | 'platform'

interface Note {
  refusedAt: Date | null
  refusedFrom: string | null
  endedAt: Date | null
  endReason: Farewell | null
  tunnelAt: Date | null
}

interface LineNotesOptions {
  readonly db: Database
  readonly logger: Logger
  readonly now: () => number
}

/** Notes the last words about machines' lines in the database, many in one statement: checks of devices read them. */
export class LineNotes {
  readonly #options: LineNotesOptions
  #notes = new Map<number, Note>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: LineNotesOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = every(flushMs, () => this.flush(), this.#options.logger)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** Somebody signed in with a wrong secret of this machine. `from`: what addresses are counted under. */
  refused(machineId: number, from: string): void {
    this.#note(machineId, { refusedAt: this.#at, refusedFrom: from })
  }

  ended(machineId: number, endReason: Farewell): void {
    this.#note(machineId, { endedAt: this.#at, endReason })
  }

  tunnelOpened(machineId: number): void {
    this.#note(machineId, { tunnelAt: this.#at })
  }

  /** Writes what was noted; a failure loses it, which costs a check a detail. */
  async flush(): Promise<void> {
    const notes = [...this.#notes].toSorted(([a], [b]) => a - b)
    this.#notes = new Map()
    try {
      for (let from = 0; from < notes.length; from += rowsPerWrite)
        await writeNotes(this.#options.db, notes.slice(from, from + rowsPerWrite))
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'lineNotes.writeFailed')
    }
  }

  get #at(): Date {
    return new Date(this.#options.now())
  }

  #note(machineId: number, news: Partial<Note>): void {
    const before = this.#notes.get(machineId)
    if (!before && this.#notes.size >= waitingMax) return
    this.#notes.set(machineId, { ...(before ?? nothing), ...news })
  }
}

const nothing: Note = { refusedAt: null, refusedFrom: null, endedAt: null, endReason: null, tunnelAt: null }

async function writeNotes(db: Database, notes: readonly (readonly [number, Note])[]): Promise<void> {
  const column = <Value>(pick: (note: Note) => Value) => notes.map(([, note]) => pick(note))
  await sql`
    insert into line_notes (machine_id, refused_at, refused_from, ended_at, end_reason, tunnel_at)
    select machines.id, note.refused_at, note.refused_from, note.ended_at, note.end_reason, note.tunnel_at
    from unnest(${notes.map(([machineId]) => machineId)}::bigint[],
      ${column((note) => note.refusedAt)}::timestamptz[], ${column((note) => note.refusedFrom)}::text[],
      ${column((note) => note.endedAt)}::timestamptz[], ${column((note) => note.endReason)}::text[],
      ${column((note) => note.tunnelAt)}::timestamptz[])
      as note (machine_id, refused_at, refused_from, ended_at, end_reason, tunnel_at)
    join machines on machines.id = note.machine_id
    order by machines.id
    on conflict (machine_id) do update set
      refused_at = coalesce(excluded.refused_at, line_notes.refused_at),
      refused_from = coalesce(excluded.refused_from, line_notes.refused_from),
      ended_at = coalesce(excluded.ended_at, line_notes.ended_at),
      end_reason = coalesce(excluded.end_reason, line_notes.end_reason),
      tunnel_at = coalesce(excluded.tunnel_at, line_notes.tunnel_at)`.execute(db)
}
