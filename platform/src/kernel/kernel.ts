import type { Config } from '../config.ts'
import { type Bus, createBus } from './bus/bus.ts'
import type { Cluster } from './cluster/cluster.ts'
import { surround } from './database/after-commit.ts'
import type { Database } from './database/database.ts'
import { type DatabasePools, listPools } from './database/pools.ts'
import { Facts } from './facts/facts.ts'
import { CallLimits } from './http/call-limits.ts'
import { LocalRateCounters, type RateCounters } from './http/rate-counters.ts'
import { SharedRateCounters } from './http/shared-rate-counters.ts'
import { type Job, Jobs } from './jobs/index.ts'
import { publishProgress } from './jobs/job-progress.ts'
import type { Logger } from './logger.ts'
import type { NodeCertificate } from './nodes/node-certificate.ts'
import { NodeDirectory } from './nodes/node-directory.ts'
import { Node, onlyNodeId } from './nodes/nodes.ts'
import { Permits } from './nodes/permits.ts'
import { OutgoingCalls, type Resolve } from './outgoing-http/index.ts'
import { RightsWatch } from './rights/rights-watch.ts'
import { createSecretBox, type SecretBox } from './secret-box.ts'

export interface KernelOptions {
  readonly pools: DatabasePools
  readonly config: Config
  readonly logger: Logger
  readonly now?: (() => number) | undefined
  /** Encrypts second factors; without one they end with this process. */
  readonly secrets?: SecretBox | undefined
  /** Where calls are counted; without them in this process, or with a cluster in the database. */
  readonly rateCounters?: RateCounters | undefined
  /** Names this process among those on one database; without one it is the only one. */
  readonly nodeId?: string | undefined
  /** The file that `nodeId` is from. */
  readonly nodeFile?: string | undefined
  /** Called when another process has taken `nodeId`: this one must end. */
  readonly onReplaced?: (() => void) | undefined
  /** The line to the platform's other processes; without one this process works alone. */
  readonly cluster?: Cluster | undefined
  /** This node's certificate for other nodes; without one no tunnel's streams go from node to node. */
  readonly certificate?: NodeCertificate | undefined
  /** For tests: the name servers of outgoing calls. */
  readonly resolve?: Resolve | undefined
  /** Jobs of parts that are made beside the platform. */
  readonly jobs?: readonly Job[] | undefined
}

/** The parts that nearly every module uses. */
export interface Kernel {
  readonly config: Config
  readonly logger: Logger
  readonly pools: DatabasePools
  /** The pool of calls. */
  readonly db: Database
  readonly bus: Bus
  readonly cluster: Cluster | undefined
  /** The platform's other processes, and what they permit each other; undefined where this process works alone. */
  readonly peers: { readonly directory: NodeDirectory; readonly permits: Permits } | undefined
  readonly certificate: NodeCertificate | undefined
  readonly facts: Facts
  readonly jobs: Jobs
  readonly rights: RightsWatch
  readonly node: Node
  /** See `KernelOptions`. */
  readonly onReplaced: (() => void) | undefined
  readonly rateCounters: RateCounters
  readonly limits: CallLimits
  /** Calls to the addresses that people type. */
  readonly outgoingCalls: OutgoingCalls
  readonly secrets: SecretBox
  /** The web port: the wished one until the platform listens; those of MQTT once this process listens on them. */
  readonly ports: { web: number; mqtt?: number; mqtts?: number }
  /** Epoch milliseconds. */
  now(): number
  /** Ends the wakes after commits on these pools. */
  closeDatabase(): void
}

/** Makes the parts that modules share; nothing runs yet. */
export function createKernel(options: KernelOptions): Kernel {
  const { pools, config, logger, now = Date.now } = options
  const db = pools.calls
  const { cluster } = options
  const bus = createBus(logger, cluster)
  const closeDatabase = surround(
    listPools(pools).map(({ db }) => db),
    {
      wake: (topic) => bus.publish(topic, {}),
      failed: (error) => logger.error({ err: error }, 'afterCommit.failed'),
    },
  )
  const local = new LocalRateCounters()
  const rateCounters =
    options.rateCounters ?? (cluster ? new SharedRateCounters({ db, local, logger }) : local)
  const secrets = options.secrets ?? createSecretBox()
  const node = new Node({
    id: options.nodeId ?? onlyNodeId,
    roles: config.ROLES,
    file: options.nodeFile,
    db: pools.node,
    logger,
    onReplaced: options.onReplaced,
  })
  const directory = new NodeDirectory({ db: pools.watch, logger })
  const permits = new Permits({ self: node, directory, key: secrets.derive('permits'), logger, now })
  return {
    config,
    logger,
    pools,
    db,
    bus,
    cluster,
    peers: cluster && { directory, permits },
    certificate: options.certificate,
    facts: new Facts({ db, bus, logger, now }),
    jobs: new Jobs({ db, bus, logger, now, tell: (progress) => publishProgress(db, progress) }),
    closeDatabase,
    rights: new RightsWatch({ db: pools.watch, bus, logger }),
    node,
    onReplaced: options.onReplaced,
    rateCounters,
    limits: new CallLimits(rateCounters, now),
    outgoingCalls: new OutgoingCalls({
      allowed: config.OUTGOING_ALLOWED_NETWORKS,
      resolve: options.resolve,
    }),
    secrets,
    ports: { web: config.PORT ?? 0 },
    now,
  }
}
