import type { ClockJob } from '../../kernel/jobs/index.ts'
import type { Logger } from '../../kernel/logger.ts'
import { sealNextBatch } from './audit-chain.ts'
import type { AuditHead } from './audit-key.ts'
import { type AuditKey, readAuditHead, writeAuditHead } from './audit-key.ts'
import { type Db, findLastBatch } from './audit-store.ts'

const sealEveryS = 15
const entriesPerBatchMax = 2_000

/** Seals new entries of the audit log, batch after batch (rules/operations.md: audit log). */
export class AuditSealer {
  readonly #db: Db
  readonly #key: AuditKey
  readonly #headFile: string
  readonly #logger: Logger
  readonly #now: () => number

  constructor(options: { db: Db; key: AuditKey; headFile: string; logger: Logger; now?: () => number }) {
    this.#db = options.db
    this.#key = options.key
    this.#headFile = options.headFile
    this.#logger = options.logger
    this.#now = options.now ?? Date.now
  }

  get jobs(): readonly ClockJob[] {
    return [{ name: 'audit.seal', everyS: sealEveryS, run: () => this.seal() }]
  }

  /** Seals the open entries once more. */
  async stop(): Promise<void> {
    await this.seal().catch((error) => this.#logger.warn({ err: error }, 'audit.sealFailed'))
  }

  /** Seals everything that is open. */
  async seal(): Promise<void> {
    for (;;) {
      const options = { entriesMax: entriesPerBatchMax, at: new Date(this.#now()) }
      const head = await sealNextBatch(this.#db, this.#key, options)
      if (!head) return
      await this.#note(head)
    }
  }

  /** For a log that became shorter, the head of the longer one stays as evidence. */
  async #note(head: AuditHead): Promise<void> {
    const noted = await readAuditHead(this.#headFile)
    if (noted && noted.batchId >= head.batchId) {
      // Another process may have sealed and noted the next batch in the meantime.
      const last = await findLastBatch(this.#db)
      if (last && last.id >= noted.batchId) return
      this.#logger.error(
        { batch: head.batchId, noted: noted.batchId, file: this.#headFile },
        'audit.shortened',
      )
      return
    }
    await writeAuditHead(this.#headFile, head)
  }
}
