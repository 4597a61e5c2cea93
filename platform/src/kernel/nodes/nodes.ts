import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import { removeNode, writeHeartbeat } from './nodes-store.ts'

/** Of a platform that has no other node. */
export const onlyNodeId = 'main'

const heartbeatMs = 2_000

/** This process among the processes of the platform: it tells the others that it lives. */
export class Node {
  readonly id: string
  readonly #db: Database
  readonly #logger: Logger
  readonly #listeners = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()

  constructor(options: { readonly id: string; readonly db: Database; readonly logger: Logger }) {
    this.id = options.id
    this.#db = options.db
    this.#logger = options.logger
  }

  /** Told when others may have taken this node for dead, and ended what it holds; answers how to stop that. */
  onRevived(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async start(): Promise<void> {
    await writeHeartbeat(this.#db, this.id)
    this.#arm()
  }

  /** What this node has left open may be taken over at once. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#beating
    clearTimeout(this.#timer)
    await removeNode(this.#db, this.id).catch((error) =>
      this.#logger.warn({ err: error, nodeId: this.id }, 'node.left.unwritten'),
    )
  }

  #arm(): void {
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat()
    }, heartbeatMs)
  }

  async #beat(): Promise<void> {
    try {
      if (await writeHeartbeat(this.#db, this.id)) for (const listener of this.#listeners) listener()
    } catch (error) {
      this.#logger.warn({ err: error, nodeId: this.id }, 'node.heartbeat.unwritten')
    }
    this.#arm()
  }
}

/** The name of the node whose data is in a folder; the first start makes one. */
export async function openNodeId(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${randomUUID()}\n`, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const id = (await readFile(file, 'utf8')).trim()
  if (id === '') throw new Error(`${file} names no node: remove it, and the next start makes another`)
  return id
}
