import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config.ts'
import { createConsoleLogger } from '../../src/kernel/console-logger.ts'
import type { PostgresConnection } from '../../src/kernel/database/connection.ts'
import { openPools, splitConnections } from '../../src/kernel/database/pools.ts'
import type { ClockJob, Job } from '../../src/kernel/jobs/index.ts'
import { Jobs } from '../../src/kernel/jobs/jobs.ts'
import { createPlatform } from '../../src/platform.ts'
import { runClockJobs } from '../jobs/run-clock-jobs.ts'
import { sendBeforeCommit } from './send-before-commit.ts'

/** A test's order to this process, which it kills. */
export type AlarmOrder =
  | {
      readonly do: 'begin'
      readonly connection: PostgresConnection
      readonly env: Readonly<Record<string, string>>
      /** The platform's clock is ahead by this. */
      readonly aheadMs: number
      /** Sends messages before their transaction commits: a pipeline that the test must find fault with. */
      readonly sendsEarly: boolean
    }
  /** So much time has passed: digests and steps that are due now go out. */
  | { readonly do: 'pass'; readonly ms: number }

/** The answer to an order. */
export interface AlarmReady {
  readonly mqttPort: number
  /** Why the order could not be carried out. */
  readonly failure?: string
}

const connectionsMax = 12
const followMsMax = 60_000
/** The clock jobs whose time a test lets pass. */
const ofAlarms = ['notifications.sendDigests', 'notifications.escalate']

// The whole platform as a separate process, on a PostgreSQL of the test, with a clock that the test moves.
const clockJobs: ClockJob[] = []
let aheadMs = 0
let platform: Awaited<ReturnType<typeof createPlatform>> | undefined
let mqttPort = 0
const now = () => Date.now() + aheadMs

const { declare } = Jobs.prototype
Jobs.prototype.declare = function (this: Jobs, jobs: readonly Job[]) {
  clockJobs.push(
    ...jobs.filter((job) => 'everyS' in job && ofAlarms.includes(job.name)).map((job) => job as ClockJob),
  )
  declare.call(this, jobs)
}

async function begin(order: AlarmOrder & { do: 'begin' }): Promise<void> {
  aheadMs = order.aheadMs
  const pools = openPools(order.connection, splitConnections(connectionsMax))
  const config = readConfig({ LOG_LEVEL: 'error', ...order.env })
  const logger = createConsoleLogger(process.env.BUSBAR_KILL_LOG ? 'warn' : 'silent')
  platform = await createPlatform({ pools, config, logger, now })
  if (order.sendsEarly) sendBeforeCommit(platform, config, now)
  mqttPort = (await platform.start({ web: 0, mqtt: 0 })).mqttPort ?? 0
}

/** Waits until every durable follower has handled the facts recorded before. */
async function untilFollowed(): Promise<void> {
  for (const until = Date.now() + followMsMax; ; await sleep(10)) {
    const { followers = [] } = (await platform?.facts.metrics().catch(() => undefined)) ?? {}
    const behind = followers.filter(({ lagMs }) => lagMs > 0).map(({ name }) => name)
    if (followers.length > 0 && behind.length === 0) return
    if (Date.now() > until)
      throw new Error(`Behind after ${followMsMax} ms: ${behind.join(', ') || 'unknown'}.`)
  }
}

async function obey(order: AlarmOrder): Promise<void> {
  if (order.do === 'begin') return begin(order)
  aheadMs += order.ms
  await untilFollowed()
  await runClockJobs(clockJobs, now())
  await untilFollowed()
}

process.on('message', (order: AlarmOrder) => {
  const answer = (ready: AlarmReady) => process.send?.(ready)
  obey(order).then(
    () => answer({ mqttPort }),
    (error: Error) => answer({ mqttPort, failure: error.stack ?? error.message }),
  )
})
process.on('disconnect', () => process.exit(1))
