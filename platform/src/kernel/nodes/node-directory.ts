import type { Database } from '../database/database.ts'
import { every } from '../every.ts'
import type { Logger } from '../logger.ts'
import { type Peer, readPeers } from './nodes-store.ts'

const pollMs = 500

/** The living nodes of the platform by their rows, at most half a second old while the database answers. */
export class NodeDirectory {
  readonly #db: Database
  readonly #logger: Logger
  readonly #listeners = new Set<() => void>()
  #peers: ReadonlyMap<string, Peer> = new Map()
  #revoked: ReadonlyMap<string, Date> = new Map()
  #reading: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  /** `db`: a pool whose statements end by themselves. */
  constructor({ db, logger }: { readonly db: Database; readonly logger: Logger }) {
    this.#db = db
    this.#logger = logger
  }

  start(): void {
    this.#timer = every(pollMs, () => this.refresh(), this.#logger)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** A living node, as it was read last. */
  peek(id: string): Peer | undefined {
    return this.#peers.get(id)
  }

  /** A living node; one that is not known, or is known as another process, is looked up. */
  async find(id: string, incarnation?: string): Promise<Peer | undefined> {
    const isKnown = ({ incarnation: known }: Peer) => incarnation === undefined || known === incarnation
    const peer = this.#peers.get(id)
    if (peer && isKnown(peer)) return peer
    await this.refresh()
    const found = this.#peers.get(id)
    return found && isKnown(found) ? found : undefined
  }

  /** Whether a certificate of a node, valid from an instant, was revoked. */
  isRevoked(id: string, validFrom: Date): boolean {
    const at = this.#revoked.get(id)
    return at !== undefined && validFrom <= at
  }

  /** Called after each read; answers a function that unsubscribes. */
  onRead(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    try {
      const { peers, revoked } = await readPeers(this.#db)
      this.#revoked = revoked
      this.#peers = new Map(peers.map((peer) => [peer.id, peer]))
    } catch (error) {
      // The known nodes stay: without the database no visit and no write begins either.
      this.#logger.debug({ err: error }, 'nodes.readFailed')
      return
    }
    for (const listener of this.#listeners) listener()
  }
}
