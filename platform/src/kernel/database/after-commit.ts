import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from './schema.gen.ts'

/** Runs after a commit. One that fails is reported and keeps no other from running. */
export type Act = () => void | Promise<void>

/** Streams of rows whose followers are woken after a commit; each is a topic of the bus as well. */
export type WakeTopic = 'rights' | 'userEvents' | 'facts'

/** The process around a database handle. */
export interface Surroundings {
  /** Wakes the followers of a stream. */
  wake(topic: WakeTopic): void
  /** An act after a commit failed. */
  failed(error: unknown): void
}

interface Pending {
  /** The handle the transaction was begun on. */
  readonly home: object
  readonly acts: Act[]
  readonly topics: Set<WakeTopic>
}

const pendingOf = new WeakMap<object, Pending>()
const surroundingsOf = new WeakMap<object, Set<Surroundings>>()

/** Connects database handles with the process that uses them; answers the function that ends it. */
export function surround(handles: Iterable<object>, surroundings: Surroundings): () => void {
  const sets = [...new Set(handles)].map((handle) => {
    const set = surroundingsOf.get(handle) ?? new Set()
    surroundingsOf.set(handle, set.add(surroundings))
    return set
  })
  return () => {
    for (const set of sets) set.delete(surroundings)
  }
}

/**
 * Has `act` run once, after the commit of the outermost transaction, in the order of the calls; never after a rollback or
 * for a try that was undone. Outside a transaction it runs at once: call it after the statement.
 */
export function afterCommit(db: Kysely<DB>, act: Act): void {
  if (!db.isTransaction) {
    run(db, act)
    return
  }
  pendingFor(db).acts.push(act)
}

/** Wakes the followers of a stream after the commit, once for a transaction; outside of one, at once. */
export function wakeAfterCommit(db: Kysely<DB>, topic: WakeTopic): void {
  if (!db.isTransaction) {
    wake(db, topic)
    return
  }
  const { topics, home } = pendingFor(db)
  if (topics.has(topic)) return
  topics.add(topic)
  afterCommit(db, () => wake(home, topic))
}

/** Wakes the followers of a stream after a commit that a plain client of the handle's pool has made. */
function wake(handle: object, topic: WakeTopic): void {
  for (const each of surroundingsOf.get(handle) ?? []) each.wake(topic)
}

/**
 * Executes one try of a transaction begun on `home` by `execute`, then the acts that its work deferred until after the
 * commit.
 */
export async function executeWithActs<T>(
  home: object,
  execute: (work: (trx: Transaction<DB>) => Promise<T>) => Promise<T>,
  work: (trx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  const acts: Act[] = []
  const answer = await execute((trx) => {
    pendingOf.set(trx, { home, acts, topics: new Set() })
    return work(trx)
  })
  for (const act of acts) run(home, act)
  return answer
}

/**
 * Runs `work` behind a savepoint of the transaction: if it fails, its writes and its work for after the commit are
 * undone, and the transaction continues.
 */
export async function withSavepoint<T>(trx: Transaction<DB>, work: () => Promise<T>): Promise<T> {
  const { acts, topics } = pendingFor(trx)
  const before = { acts: acts.length, topics: new Set(topics) }
  await sql`savepoint work`.execute(trx)
  try {
    const answer = await work()
    await sql`release savepoint work`.execute(trx)
    return answer
  } catch (error) {
    await sql`rollback to savepoint work`.execute(trx)
    acts.length = before.acts
    for (const topic of topics) if (!before.topics.has(topic)) topics.delete(topic)
    throw error
  }
}

function pendingFor(trx: object): Pending {
  const pending = pendingOf.get(trx)
  if (!pending) throw new Error('This transaction was not begun on a handle of openDatabase.')
  return pending
}

function run(home: object, act: Act): void {
  try {
    const running = act()
    if (running) running.catch((error) => report(home, error))
  } catch (error) {
    report(home, error)
  }
}

function report(home: object, error: unknown): void {
  const around = [...(surroundingsOf.get(home) ?? [])]
  for (const each of around) each.failed(error)
  // Tools without a process around them: it must not pass unseen.
  if (around.length === 0) process.emitWarning(error instanceof Error ? error : String(error))
}
