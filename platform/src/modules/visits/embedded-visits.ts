import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { EmbeddingPort } from './embedding.ts'
import { createEmbeddingCode, type EmbeddingCode, takeEmbeddingCode } from './embedding-codes-store.ts'
import { createToken, hash, isToken, type VisitCookies } from './visit-cookies.ts'
import type { VisitPort } from './visit-port.ts'
import type { VisitsService } from './visits-service.ts'

/** Lifetime of a code, in ms (rules/projects.md: embedding). */
export const embeddingCodeMs = 60_000

/** Visits in the page of a project's portal: a one-use code for the machine's host opens one. */
export class EmbeddedVisits {
  readonly #db: Kysely<DB>
  readonly #embeddings: EmbeddingPort
  readonly #cookies: VisitCookies
  readonly #service: Pick<VisitsService, 'open'>

  constructor(deps: {
    db: Kysely<DB>
    embeddings: EmbeddingPort
    cookies: VisitCookies
    service: Pick<VisitsService, 'open'>
  }) {
    this.#db = deps.db
    this.#embeddings = deps.embeddings
    this.#cookies = deps.cookies
    this.#service = deps.service
  }

  /** A code for one use within 60 s; nothing is opened before it is used. */
  async createCode(visit: Omit<EmbeddingCode, 'visitId'>, now: number): Promise<string> {
    return this.#createCode({ ...visit, visitId: null }, now)
  }

  /** As `VisitPort.enterEmbedded`; a code shown on another host is used up all the same. */
  enter: VisitPort['enterEmbedded'] = async (code, host, { address, now }) => {
    const taken = isToken(code) ? await takeEmbeddingCode(this.#db, hash(code), new Date(now)) : undefined
    if (!taken || taken.host !== host) return undefined
    const visitId = taken.visitId ?? (await this.#open(taken, address, now))
    if (visitId === undefined) return undefined
    const again = await this.#createCode({ ...taken, visitId }, now)
    return { cookie: await this.#cookies.create(visitId, host), visitId, again }
  }

  /** Undefined where the project may not enter any more. */
  async #open(code: EmbeddingCode, address: string, now: number): Promise<number | undefined> {
    const { projectId, linkId, keyId, userId, machineId } = code
    const embedding = await this.#embeddings.find(this.#db, code, now)
    if (!embedding) return undefined
    const openedBy = { projectId, linkId, keyId }
    const entry = { userId, openedBy, address, now, mayControl: embedding.mayControl }
    return (await this.#service.open(entry, machineId, 'page')).visitId
  }

  async #createCode(visit: EmbeddingCode, now: number): Promise<string> {
    const code = createToken()
    await createEmbeddingCode(this.#db, hash(code), visit, new Date(now + embeddingCodeMs))
    return code
  }
}
