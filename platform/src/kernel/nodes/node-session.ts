import type { PoolClient } from 'pg'
import { type Database, takeClient } from '../database/database.ts'
import { silentS } from './nodes-store.ts'

/**
 * A connection that holds the lock of a node's id. The server releases the lock with the connection, so a crashed node
 * leaves no lock behind; nor does a host that is gone, because a connection is ended after the longest silence of a
 * node.
 */
export class NodeSession {
  readonly client: PoolClient
  readonly #id: string
  #isLocked = false

  private constructor(client: PoolClient, id: string) {
    this.client = client
    this.#id = id
  }

  static async open(db: Database, id: string): Promise<NodeSession> {
    const client = await takeClient(db)
    try {
      await client.query(`set idle_session_timeout = '${silentS}s'`)
    } catch (error) {
      client.release(true)
      throw error
    }
    return new NodeSession(client, id)
  }

  /** Takes the lock; false while another connection holds it. */
  async lock(): Promise<boolean> {
    if (this.#isLocked) return true
    const { rows } = await this.client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('node ' || $1, 0)) as mine`,
      [this.#id],
    )
    this.#isLocked = rows[0]?.mine === true
    return this.#isLocked
  }

  /** Ends the connection. */
  close(): void {
    this.client.release(true)
  }
}
