import type { Logger } from '../../logger.ts'
import { type AuditHead, sealNextBatch } from './audit-chain.ts'
import { type AuditKey, readAuditHead, writeAuditHead } from './audit-key.ts'
import type { Db } from './audit-store.ts'

const sealEveryMs = 15_000
const entriesPerBatchMax = 2_000

/** Seals what was added to the audit log, batch after batch (decision 62). */
export class AuditSealer {
  readonly #db: Db
  readonly #key: AuditKey
  readonly #headFile: string
  readonly #logger: Logger
  readonly #now: () => number
  #timer: NodeJS.Timeout | undefined
  #sealing: Promise<void> | undefined

  constructor(options: { db: Db; key: AuditKey; headFile: string; logger: Logger; now?: () => number }) {
    this.#db = options.db
    this.#key = options.key
    this.#headFile = options.headFile
    this.#logger = options.logger
    this.#now = options.now ?? Date.now
  }

  start(): void {
    this.#timer = setInterval(() => void this.#sealQuietly(), sealEveryMs)
  }

  /** Seals what is there, once more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sealing
    await this.#sealQuietly()
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

  /** A log that became shorter keeps the longer one's head: that is what tells it. */
  async #note(head: AuditHead): Promise<void> {
    const noted = await readAuditHead(this.#headFile)
    if (noted && noted.batchId >= head.batchId) {
      this.#logger.error(
        { batch: head.batchId, noted: noted.batchId, file: this.#headFile },
        'the audit log is shorter than it was; after a restore remove the file',
      )
      return
    }
    await writeAuditHead(this.#headFile, head)
  }

  #sealQuietly(): Promise<void> {
    this.#sealing ??= this.seal()
      .catch((error) => this.#logger.warn({ err: error }, 'the audit log could not be sealed'))
      .finally(() => {
        this.#sealing = undefined
      })
    return this.#sealing
  }
}
