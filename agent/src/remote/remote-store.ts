import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RemoteDocument, RemoteResult } from '@busbar/link'
import { syncFolder } from '../outbox/sync-folder.ts'

/** A version that was tried, and its result. */
export interface EndedTrial {
  readonly revision: number
  /** The platform's id of the change. */
  readonly id: string
  /** Epoch ms. */
  readonly at: number
  readonly result: RemoteResult
  /** Why it was rolled back; empty if it stayed. */
  readonly reason: string
}

interface State {
  /** The version in effect; 0 before the first. It changes only after a successful trial. */
  active: number
  /** The highest version so far. */
  last: number
  /** A version that is being tried. One found at a start was interrupted. */
  trial: { revision: number; id: string; at: number } | null
  ended: EndedTrial[]
}

/** Versions kept, with their documents. */
const versionsKeptMax = 20

const emptyDocument: RemoteDocument = { connections: [] }

/**
 * The remote configuration in a folder: `state.json` and one file for each version. Each file is replaced as
 * a whole, and a document is on the disk before the state names it.
 */
export class RemoteStore {
  readonly #folder: string
  #state: State

  private constructor(folder: string, state: State) {
    this.#folder = folder
    this.#state = state
  }

  /** A trial that was cut short by the end of the agent has failed. Rejects if the state cannot be read. */
  static async open(folder: string): Promise<RemoteStore> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const store = new RemoteStore(folder, await readState(folder))
    if (store.#state.trial !== null) await store.end('rolledBack', 'the agent was restarted')
    return store
  }

  get active(): number {
    return this.#state.active
  }

  get last(): number {
    return this.#state.last
  }

  /** Oldest first. */
  get ended(): readonly EndedTrial[] {
    return this.#state.ended
  }

  /** Starts the trial of a version; returns its number. */
  async begin(document: RemoteDocument, id: string, at: number): Promise<number> {
    const revision = this.#state.last + 1
    await writeWhole(this.#folder, fileOf(revision), JSON.stringify(document))
    await this.#write({ ...this.#state, last: revision, trial: { revision, id, at } })
    return revision
  }

  /** The trial under way has ended: its version counts from now on, or the one before it still does. */
  async end(result: RemoteResult, reason: string): Promise<void> {
    const { trial, active, ended } = this.#state
    if (trial === null) return
    const all = [...ended, { ...trial, result, reason }]
    const kept = all.slice(-versionsKeptMax)
    const now = result === 'applied' ? trial.revision : active
    await this.#write({ ...this.#state, active: now, trial: null, ended: kept })
    const old = all.slice(0, -versionsKeptMax).filter(({ revision }) => revision !== now)
    await Promise.all(old.map(({ revision }) => rm(join(this.#folder, fileOf(revision)), { force: true })))
  }

  /** A version's document; null if it is not kept. */
  async read(revision: number): Promise<RemoteDocument | null> {
    if (revision === 0) return emptyDocument
    try {
      return JSON.parse(await readFile(join(this.#folder, fileOf(revision)), 'utf8')) as RemoteDocument
    } catch {
      return null
    }
  }

  async #write(state: State): Promise<void> {
    await writeWhole(this.#folder, 'state.json', JSON.stringify(state))
    this.#state = state
  }
}

function fileOf(revision: number): string {
  return `${String(revision).padStart(6, '0')}.json`
}

async function readState(folder: string): Promise<State> {
  let text: string
  try {
    text = await readFile(join(folder, 'state.json'), 'utf8')
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error
    return { active: 0, last: 0, trial: null, ended: [] }
  }
  return JSON.parse(text) as State
}

/** After a power failure the file has the old content or the new one, complete. */
async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  await syncFolder(folder)
}
