import type { Kysely } from 'kysely'
import { withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import type { LiveFollower } from '../../kernel/facts/follower.ts'
import type { Logger } from '../../kernel/logger.ts'
import { pushFrames, writeFrames } from './frames.ts'
import { type NotifyDeps, readTold } from './notify-alarms.ts'

/** Alarms of one transaction. */
const factsMax = 50
/** More of them wait for the durable follower: in a storm single frames are not read anyway. */
const waitingMax = 500

interface Deps extends Pick<NotifyDeps, 'access' | 'mailbox' | 'tags' | 'now'> {
  readonly db: Kysely<DB>
  readonly logger: Logger
}

/**
 * Pushes the frame of an alarm straight after its commit, in a short transaction beside the one for SMS and e-mail. The
 * row of the record is written with the frame. Each process tries it, and the unique row admits one; frames that no
 * process pushed, because one died, are left to the durable follower, and so are those of values that a machine had kept.
 */
export class LiveFrames {
  readonly #deps: Deps
  #waiting: Fact<'alarm.raised'>[] = []
  #running: Promise<void> | undefined
  #isStopped = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  readonly follower: LiveFollower<'alarm.raised'> = {
    mode: 'live',
    name: 'notifications.frames',
    kinds: ['alarm.raised'],
    follow: (facts) => this.#add(facts),
  }

  /** Ends it after the frames that are being written. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#waiting = []
    await this.#running
  }

  #add(facts: readonly Fact<'alarm.raised'>[]): Promise<void> | undefined {
    if (this.#isStopped) return undefined
    this.#waiting.push(...facts.slice(0, Math.max(waitingMax - this.#waiting.length, 0)))
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const facts = this.#waiting.splice(0, factsMax)
      try {
        await this.#tell(facts)
      } catch (error) {
        this.#deps.logger.warn({ err: error, facts: facts.length }, 'frames.pushFailed')
      }
    }
  }

  async #tell(facts: readonly Fact<'alarm.raised'>[]): Promise<void> {
    const { db, now } = this.#deps
    const at = now()
    const { told, tags } = await readTold(this.#deps, db, facts, at, { isOfPages: true })
    const requests = told.flatMap((each) =>
      each.recipients.flatMap((recipient) => (recipient.userId === null ? [] : [{ told: each, recipient }])),
    )
    if (requests.length === 0) return
    await withTransaction(db, async (trx) => {
      const made = await writeFrames(trx, requests, at)
      await pushFrames(this.#deps, trx, made, tags, at)
    })
  }
}
