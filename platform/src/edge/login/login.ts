import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { telemetry as contract } from '@busbar/contract'
import type { TextEncoding } from '@busbar/link'
import { isMachineCode } from '@busbar/link'
import type { Database } from '../../kernel/database/database.ts'
import type { Language } from '../ingest/adapters/read-message.ts'
import { LoginQueue } from './login-queue.ts'

/** Logins that follow a query within this time wait for it to pass, so that a crowd needs few queries. */
const usualGatherMs = 2

/** A machine that proved who it is. */
export interface MachineLogin extends Language {
  readonly machineId: number
  readonly code: string
}

interface LanguageRow {
  readonly adapter: string | null
  readonly time_zone: string
  readonly text_encoding: string
  readonly other_topics: boolean
}

interface MachineRow extends LanguageRow {
  readonly id: number
  readonly code: string
  readonly secret_hash: Buffer
}

/** Compared with for an unknown machine, so that both refusals take the same time. */
const noHash = Buffer.alloc(32)

/**
 * Checks machines' secrets. Every login reads the row anew, so that a changed secret holds at once; logins that come
 * while a query is under way, or shortly after it, share the next one. There is one query at a time, however many come.
 */
export class MachineLogins {
  readonly #db: Database
  readonly #queue = new LoginQueue<MachineRow>()
  #isAsking = false
  #askedAt = Number.NEGATIVE_INFINITY
  readonly #gatherMs: number
  readonly #wrong: (machineId: number, from: string) => void

  /** `wrong`: called for each wrong secret of a machine that exists. */
  constructor(
    db: Database,
    gatherMs = usualGatherMs,
    wrong: (machineId: number, from: string) => void = () => undefined,
  ) {
    this.#db = db
    this.#gatherMs = gatherMs
    this.#wrong = wrong
  }

  /**
   * Undefined for an unknown code or a wrong secret: the answer does not show which. 'busy' when too many wait for a
   * check. Throws when the database is away. `from`: the address, or what it is counted under.
   */
  async check(code: string, secret: Buffer, from: string): Promise<MachineLogin | 'busy' | undefined> {
    const row = isMachineCode(code) ? await this.#find(code, from) : undefined
    if (row === 'busy') return row
    const hash = createHash('sha256').update(secret).digest()
    const isRight = timingSafeEqual(hash, row?.secret_hash ?? noHash)
    if (row && !isRight) this.#wrong(row.id, from)
    return row && isRight ? { machineId: row.id, code: row.code, ...languageOf(row) } : undefined
  }

  async #find(code: string, from: string): Promise<MachineRow | 'busy' | undefined> {
    const asked = this.#queue.add(code, from)
    if (!this.#isAsking) void this.#ask()
    return asked ?? 'busy'
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    while (!this.#queue.isEmpty) {
      if (performance.now() - this.#askedAt < this.#gatherMs) await sleep(this.#gatherMs)
      this.#askedAt = performance.now()
      const asked = this.#queue.take()
      try {
        const rows = await this.#db
          .selectFrom('machines')
          .select(['id', 'code', 'secret_hash', 'adapter', 'time_zone', 'text_encoding', 'other_topics'])
          .where(
            'code',
            'in',
            asked.map(({ code }) => code),
          )
          .execute()
        const byCode = new Map(rows.map((row) => [row.code, row]))
        for (const code of byCode.keys()) this.#queue.remember(code)
        for (const { code, answer } of asked) answer.resolve(byCode.get(code))
      } catch (error) {
        for (const { answer } of asked) answer.reject(error)
      }
    }
    this.#isAsking = false
  }
}

/** The way to read a machine's messages, read anew; undefined when the machine is gone. */
export async function findLanguage(db: Database, machineId: number): Promise<Language | undefined> {
  const row = await db
    .selectFrom('machines')
    .select(['adapter', 'time_zone', 'text_encoding', 'other_topics'])
    .where('id', '=', machineId)
    .executeTakeFirst()
  return row && languageOf(row)
}

function languageOf(row: LanguageRow): Language {
  return {
    adapter: row.adapter as contract.Adapter | null,
    timeZone: row.time_zone,
    textEncoding: row.text_encoding as TextEncoding,
    otherTopics: row.other_topics,
  }
}
