import { limits } from '@busbar/contract'
import type { PostgresConnection } from './connection.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'

/** The connections to the database that holds the samples. */
export interface SamplePools {
  /** For everything without a pool of its own. */
  readonly calls: Database
  /** Commits of the data that machines sent. */
  readonly commits: Database
  /** Histories and reports. */
  readonly history: Database
  /** Whole lists. */
  readonly lists: Database
}

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
  /** Those of the same names above, unless samples have a database of their own. */
  readonly samples: SamplePools
}

export const poolNames = ['calls', 'watch', 'decisions', 'commits', 'history', 'lists', 'node'] as const
const samplePoolNames = ['calls', 'commits', 'history', 'lists'] as const

/** Number of connections of each pool. */
export type PoolSizes = Readonly<Record<(typeof poolNames)[number], number>>

/** Fewer connections leave a pool without one. */
export const connectionsMin = 8
const commitsMax = 3
/** A statement of a history or a list that takes longer is ended by the database. */
const heavyStatementMsMax = 10_000
/** A connection without an answer for this time is given up, because rights must be read. */
const silentMsMax = 3_000

/** Longest wait of a commit of values for a row's lock; after that the batch continues without the machine. */
const commitLockMsMax = 250

/** Shares `count` connections among the pools; the node's connection is additional, because it serves no queries. */
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

type Address = PostgresConnection | string

interface PoolsOptions extends Pick<DatabaseOptions, 'onSecondConnection'> {
  /** The address of a database for samples alone; its pools are as large as those of the same names. */
  readonly samples?: Address | undefined
}

/** Opens the pools of a platform, lazily as `openDatabase` does. */
export function openPools(
  connection: Address,
  sizes: PoolSizes,
  { samples, onSecondConnection }: PoolsOptions = {},
): DatabasePools {
  const openAt =
    (address: Address) =>
    (name: keyof PoolSizes, rest: DatabaseOptions = {}) =>
      openDatabase(address, { poolMax: sizes[name], onSecondConnection, ...rest })
  const open = openAt(connection)
  const own = openSamplePools(open)
  return {
    ...own,
    watch: open('watch', { queryMsMax: silentMsMax }),
    decisions: open('decisions', { queryMsMax: silentMsMax }),
    node: open('node', { queryMsMax: silentMsMax }),
    samples: samples === undefined ? own : openSamplePools(openAt(samples)),
  }
}

function openSamplePools(open: (name: keyof SamplePools, rest?: DatabaseOptions) => Database): SamplePools {
  return {
    calls: open('calls'),
    commits: open('commits', { lockMsMax: commitLockMsMax }),
    history: open('history', { statementMsMax: heavyStatementMsMax }),
    lists: open('lists', { statementMsMax: heavyStatementMsMax }),
  }
}

/** Whether samples have a database of their own. */
export const areSamplesApart = (pools: DatabasePools): boolean => pools.samples.commits !== pools.commits

/** Each pool once, by its name in metrics. */
export function listPools(pools: DatabasePools): { readonly pool: string; readonly db: Database }[] {
  const main = poolNames.map((pool) => ({ pool, db: pools[pool] }))
  if (!areSamplesApart(pools)) return main
  return [...main, ...samplePoolNames.map((pool) => ({ pool: `samples.${pool}`, db: pools.samples[pool] }))]
}

/** Closes every connection after its running queries have ended. */
export async function closePools(pools: DatabasePools): Promise<void> {
  await Promise.all(listPools(pools).map(({ db }) => db.destroy()))
}
