import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { productVersion } from '@busbar/contract'
import { wireVersion } from '../cluster/wire.ts'
import type { Database } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import { roles as allRoles, type Role } from '../roles.ts'
import { endsWithin } from '../stop-budget.ts'
import { NodeSession } from './node-session.ts'
import {
  countNodes,
  isLivingNode,
  listRolesElsewhere,
  type NodeCounts,
  type NodeName,
  noteLeaving,
  removeNode,
  silentS,
  takeNode,
  writeHeartbeat,
} from './nodes-store.ts'
import { createNodeKeys } from './permits.ts'

/** The node of a platform with only one. */
export const onlyNodeId = 'main'

const heartbeatMs = 2_000
/** A crashed process gives its id up at once, one on a host that is gone when its connection was idle for too long. */
const takeMsMax = (silentS + 2) * 1_000
const takePauseMs = 100
/** Every so many heartbeats the nodes are counted. */
const beatsPerCount = 5
/** A stop waits no longer for a database that may be away. */
const leaveMsMax = 1_000

/** Another process that lives has the id of this node. */
export class NodeTaken extends Error {
  override name = 'NodeTaken'
}

export interface NodeOptions {
  readonly id: string
  /** The work of this process; all of it where missing. */
  readonly roles?: readonly Role[]
  /** The file that has the id, for the message to the person who copied it. */
  readonly file?: string | undefined
  /** A pool that one connection is held of. */
  readonly db: Database
  readonly logger: Logger
  /** Called once, when another process has taken this node's id: this one must end. */
  readonly onReplaced?: (() => void) | undefined
  /** For tests: how long a start waits for the id. */
  readonly takeMsMax?: number
}

/** This process among the processes of the platform: its heartbeat shows the others that it lives. */
export class Node {
  readonly id: string
  readonly #options: NodeOptions
  readonly #name: NodeName
  /** With it others check what this process permits. */
  readonly keys = createNodeKeys()
  readonly #listeners = new Set<() => void>()
  #session: NodeSession | undefined
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()
  #hasEnded = false
  #isStarting = true
  #beats = 0
  #counts: NodeCounts = { living: 1, leaving: 0, lost: 0, unread: [] }
  /** Nodes that were logged for their messages. */
  readonly #unread = new Set<string>()

  constructor(options: NodeOptions) {
    this.id = options.id
    this.#options = options
    this.#name = { id: options.id, incarnation: randomUUID() }
  }

  /**
   * Called when others may have counted this node as dead and ended its connections; answers a function that
   * unsubscribes.
   */
  onRevived(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The number of this process, drawn at its start. */
  get incarnation(): string {
    return this.#name.incarnation
  }

  /** The nodes of the platform, some seconds old. */
  get counts(): NodeCounts {
    return this.#counts
  }

  /** Whether this process is still its node's, and the others count it as living. */
  isLiving(db: Database): Promise<boolean> {
    return isLivingNode(db, this.#name)
  }

  /** @throws NodeTaken while another process with this id lives */
  async start(): Promise<void> {
    const { db, takeMsMax: waitMs = takeMsMax } = this.#options
    const session = await NodeSession.open(db, this.id)
    this.#session = session
    try {
      await this.#lock(session, waitMs)
      const { roles = allRoles } = this.#options
      await takeNode(session.client, this.#name, {
        roles,
        version: productVersion,
        wireVersion,
        publicKey: this.keys.publicKey,
      })
    } catch (error) {
      this.#close()
      throw error
    }
    this.#arm()
  }

  async #lock(session: NodeSession, waitMs: number): Promise<void> {
    if (await session.lock()) return
    const { logger, file } = this.#options
    logger.warn({ nodeId: this.id, file }, 'nodeId.taken')
    const until = performance.now() + waitMs
    do {
      if (performance.now() >= until) throw new NodeTaken(this.#taken())
      await sleep(takePauseMs)
    } while (!(await session.lock()))
  }

  /** Says that this node listens: from now on others may hand their machines over to it. */
  open(): Promise<void> {
    this.#isStarting = false
    return this.beat()
  }

  /**
   * Says that this node stops. Answers the work for which there is another node; none where the database does not
   * answer in time.
   */
  async leave(): Promise<ReadonlySet<Role>> {
    const session = this.#session
    let elsewhere: ReadonlySet<Role> = new Set()
    if (!session) return elsewhere
    try {
      await endsWithin(leaveMsMax, async () => {
        await noteLeaving(session.client, this.#name)
        elsewhere = await listRolesElsewhere(session.client, this.id)
      })
    } catch (error) {
      this.#options.logger.warn({ err: error, nodeId: this.id }, 'nodeLeaving.writeFailed')
    }
    return elsewhere
  }

  /** The open work of this node may be taken over at once. */
  async stop(): Promise<void> {
    this.#hasEnded = true
    clearTimeout(this.#timer)
    await this.#beating
    const session = this.#session
    if (!session) return
    await removeNode(session.client, this.#name).catch((error) =>
      this.#options.logger.warn({ err: error, nodeId: this.id }, 'node.leaveFailed'),
    )
    this.#close()
  }

  /** Writes a heartbeat; by itself it does so every two seconds. */
  beat(): Promise<void> {
    clearTimeout(this.#timer)
    this.#beating = this.#beating.then(() => this.#beat())
    return this.#beating
  }

  #arm(): void {
    if (!this.#hasEnded) this.#timer = setTimeout(() => void this.beat(), heartbeatMs)
  }

  async #beat(): Promise<void> {
    if (this.#hasEnded) return
    const { db, logger } = this.#options
    const before = this.#session
    try {
      this.#session ??= await NodeSession.open(db, this.id)
      const beat = await writeHeartbeat(
        this.#session.client,
        this.#name,
        this.#isStarting,
        this.keys.publicKey,
      )
      if (beat === 'replaced') return this.#end()
      // After a lost connection; the one before may hold it for some seconds.
      await this.#session.lock()
      // The answer of the beat that found it may have been lost with the connection.
      if (beat === 'revived' || !before) for (const listener of this.#listeners) listener()
      if (this.#beats++ % beatsPerCount === 0) await this.#count(this.#session)
    } catch (error) {
      this.#close()
      // A connection that was lost is found out by its use: on a new one it is known at once whether the database is there.
      if (before) return this.#beat()
      logger.warn({ err: error, nodeId: this.id }, 'node.heartbeatFailed')
    }
    this.#arm()
  }

  async #count({ client }: NodeSession): Promise<void> {
    this.#counts = await countNodes(client, wireVersion)
    for (const { id, version } of this.#counts.unread) {
      if (this.#unread.has(id)) continue
      this.#unread.add(id)
      this.#options.logger.warn({ nodeId: id, version, wireVersion }, 'node.otherMessages')
    }
  }

  #end(): void {
    const { logger, file, onReplaced } = this.#options
    this.#hasEnded = true
    this.#close()
    logger.error({ nodeId: this.id, file }, 'node.replaced')
    onReplaced?.()
  }

  #close(): void {
    this.#session?.close()
    this.#session = undefined
  }

  #taken(): string {
    const { file } = this.#options
    return (
      `Another Busbar with the node id ${this.id} works on this database. If it uses the same data folder, stop it` +
      `${file ? `. If the folder is a copy, remove ${file}: the next start makes an id of its own` : ''}.`
    )
  }
}
