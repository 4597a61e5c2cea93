import type { Kernel } from '../kernel.ts'
import { counter, gauge, Measured } from '../metrics/index.ts'
import type { Module } from '../module.ts'
import type { FollowerFigures } from './durable-loop.ts'
import { followerLagMsMax } from './follower.ts'

const partitionsEveryS = 3_600

/** Runs the followers of facts, which the modules declare, and keeps the partitions. */
export function createFactsModule({ facts, jobs, logger, closeDatabase }: Kernel): Module {
  const first: Awaited<ReturnType<typeof facts.metrics>> = { recorded: 0, setAside: 0, followers: [] }
  const measured = new Measured(
    first,
    async () => {
      const figures = await facts.metrics()
      warnOfLag(figures.followers)
      return figures
    },
    logger,
  )
  const lagging = new Set<string>()
  const warnOfLag = (followers: readonly FollowerFigures[]) => {
    for (const { name: follower, lagMs } of followers) {
      if (lagMs <= followerLagMsMax) lagging.delete(follower)
      else if (!lagging.has(follower)) {
        lagging.add(follower)
        logger.warn({ follower, lagMs: Math.round(lagMs), lagMsMax: followerLagMsMax }, 'follower.lagged')
      }
    }
  }
  const largestLagMs = () => Math.max(0, ...measured.value.followers.map(({ lagMs }) => lagMs))
  const ofEach = (figure: 'handled' | 'failed') =>
    measured.value.followers.map((follower) => ({
      labels: { follower: follower.name },
      value: follower[figure],
    }))
  return {
    name: 'facts',
    roles: ['api', 'edge', 'realtime', 'visits', 'jobs'],
    jobs: [{ name: 'facts.keepPartitions', everyS: partitionsEveryS, run: () => facts.keepPartitions() }],
    async start() {
      // Followers queue jobs in their transactions.
      await jobs.open()
      await facts.start()
      measured.start()
    },
    async stop() {
      measured.stop()
      await facts.stop()
      closeDatabase()
    },
    figures: () => ({
      factsLagMs: largestLagMs(),
      queues: [{ name: 'factsSetAside', length: measured.value.setAside }],
    }),
    metrics: () => [
      counter('busbar_facts_recorded_total', 'Facts that this process recorded', measured.value.recorded),
      gauge('busbar_facts_set_aside', 'Facts that a follower could not handle', measured.value.setAside),
      gauge(
        'busbar_facts_lag_seconds',
        'Age of the oldest fact that a durable follower has not handled, with those that an open transaction holds up',
        measured.value.followers.map(({ name, lagMs }) => ({
          labels: { follower: name },
          value: lagMs / 1_000,
        })),
      ),
      gauge('busbar_facts_lag_max_seconds', 'The largest lag of a durable follower', largestLagMs() / 1_000),
      counter('busbar_facts_handled_total', 'Facts that a durable follower handled', ofEach('handled')),
      counter('busbar_facts_failed_total', 'Tries of a durable follower that failed', ofEach('failed')),
    ],
  }
}
