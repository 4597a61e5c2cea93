import { limits } from '@busbar/contract'
import type { PostgresConnection } from './connection.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'

/**
 * The connections of a platform in separate pools, so that hanging queries delay neither a decision about a visit nor a
 * commit of values.
 */
export interface DatabasePools {
  /** Calls of people, and everything without a pool of its own. */
  readonly calls: Database
  /** Reads changes of rights. */
  readonly watch: Database
  /** Decides about visits and their cookies. */
  readonly decisions: Database
  /** Commits of the data that machines sent. */
  readonly commits: Database
  /** Histories and reports. */
  readonly history: Database
  /** Whole lists and searches. */
  readonly lists: Database
  /** Holds this process's place among the nodes. */
  readonly node: Database
}

/** How many connections each pool has. */
export type PoolSizes = Readonly<Record<keyof DatabasePools, number>>

export const poolNames = ['calls', 'watch', 'decisions', 'commits', 'history', 'lists', 'node'] as const
/** Fewer connections leave a pool without one. */
export const connectionsMin = 8
const commitsMax = 3
/** A statement of a history or a list that takes longer is ended by the database. */
const heavyStatementMsMax = 10_000
/** A connection without an answer for so long is given up, because rights must be read. */
const silentMsMax = 3_000

/** How long a commit of values waits for a row's lock; after that the batch goes on without the machine. */
const commitLockMsMax = 250

/** Shares `count` connections among the pools; the one of the node comes on top, because it serves nobody's queries. */
export function splitConnections(count: number): PoolSizes {
  if (count < connectionsMin) throw new RangeError(`The platform needs ${connectionsMin} connections.`)
  const share = Math.floor(count / 6)
  const watch = 1
  const decisions = 2
  const commits = Math.min(share, commitsMax)
  const heavy = Math.min(share, limits.loadRunningMax)
  const calls = count - watch - decisions - commits - 2 * heavy
  return { calls, watch, decisions, commits, history: heavy, lists: heavy, node: 1 }
}

/** Opens the pools of a platform, lazily as `openDatabase` does. */
export function openPools(connection: PostgresConnection | string, sizes: PoolSizes): DatabasePools {
  const open = (name: keyof DatabasePools, rest: DatabaseOptions = {}) =>
    openDatabase(connection, { poolMax: sizes[name], ...rest })
  return {
    calls: open('calls'),
    watch: open('watch', { queryMsMax: silentMsMax }),
    decisions: open('decisions', { queryMsMax: silentMsMax }),
    commits: open('commits', { lockMsMax: commitLockMsMax }),
    history: open('history', { statementMsMax: heavyStatementMsMax }),
    lists: open('lists', { statementMsMax: heavyStatementMsMax }),
    node: open('node', { queryMsMax: silentMsMax }),
  }
}

/** Closes every connection after its running queries have ended. */
export async function closePools(pools: DatabasePools): Promise<void> {
  await Promise.all(poolNames.map((name) => pools[name].destroy()))
}
