import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { DatabaseWatch } from '../../kernel/database/database-watch.ts'
import { areSamplesApart } from '../../kernel/database/pools.ts'
import type { LiveFollower } from '../../kernel/facts/follower.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { counter, gauge, histogram, Measured, queueLength } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import { listLivingNodes } from '../../kernel/nodes/nodes-store.ts'
import { ownerFollower } from './next-owner.ts'
import { moveJob } from './store/move-job.ts'
import { RowMover } from './store/row-mover.ts'
import type { SampleLengths } from './store/sample-lengths.ts'
import { createTelemetry, type Telemetry } from './telemetry.ts'
import { telemetryRoutes } from './telemetry-routes.ts'

export interface TelemetryModule extends Module {
  readonly store: Telemetry
}

/** The module of machines' samples. */
export function createTelemetryModule(
  kernel: Kernel,
  { lengths }: { readonly lengths: SampleLengths },
): TelemetryModule {
  const { db, pools, bus, facts, logger, now } = kernel
  const { commits, history, lists, samples } = pools
  const { node } = kernel
  const store = createTelemetry({
    db,
    commits,
    history,
    lists,
    samples,
    bus,
    facts,
    lengths,
    logger,
    now,
    nodeId: node.id,
    isShared: kernel.cluster !== undefined,
    isLiving: () => node.isLiving(db),
    listLivingNodes: () => listLivingNodes(db),
  })
  // The readers of the main database watch it.
  const watch = areSamplesApart(pools) ? new DatabaseWatch(samples.calls) : undefined
  const settings: LiveFollower<'machine.tagsDescribed'> = {
    mode: 'live',
    name: 'telemetry.tagsDescribed',
    kinds: ['machine.tagsDescribed'],
    async follow(changes) {
      const machineIds = new Set(changes.map(({ machineId }) => machineId))
      await Promise.all(Array.from(machineIds, (machineId) => store.describe(machineId)))
    },
  }
  const backlogMs = new Measured(0, () => store.foldBacklogMs(), logger)
  const ends: (() => void)[] = []
  bus.subscribe('latest', ({ machineId }) => store.catchUp(machineId))
  return {
    name: 'telemetry',
    roles: ['api', 'edge'],
    store,
    machineOf: { tags: (tagIds) => store.machinesOfTags(tagIds) },
    jobs: [...store.jobs, moveJob(new RowMover({ db, samplesDb: samples.calls, logger, now }))],
    follows: [ownerFollower, settings],
    health: [
      { name: 'commits', isWell: () => !store.isStalled },
      ...(watch ? [{ name: 'samplesDatabase', isWell: () => watch.isWell }] : []),
    ],
    async start() {
      watch?.start()
      await store.start()
      backlogMs.start()
      ends.push(node.onRevived(() => store.revive()))
    },
    async stop() {
      watch?.stop()
      backlogMs.stop()
      for (const end of ends.splice(0)) end()
      await store.stop()
    },
    metrics() {
      const { samples, damagedChunks, decodedChunks, commitSeconds, waiting, stalledMs } = store.stats()
      return [
        counter('busbar_ingest_samples_total', 'Samples committed', samples),
        counter('busbar_damaged_chunks_total', 'Chunks of samples found damaged', damagedChunks),
        counter('busbar_decoded_chunks_total', 'Chunks of samples decoded for readers', decodedChunks),
        histogram('busbar_commit_seconds', 'Commits of samples', commitSeconds),
        queueLength('records', waiting),
        gauge(
          'busbar_ingest_stalled_seconds',
          'How long records have waited without any commit',
          stalledMs / 1_000,
        ),
        gauge(
          'busbar_fold_backlog_seconds',
          'How long the oldest hour of samples that has to be folded has been closed',
          backlogMs.value / 1_000,
        ),
        gauge('busbar_ingest_pressure', '1 while machines are asked to wait', Number(store.isUnderPressure)),
      ]
    },
    figures() {
      const { samples, waiting } = store.stats()
      const { isUnderPressure } = store
      return { samples, isUnderPressure, queues: [{ name: 'records', length: waiting }] }
    },
  }
}

/** The routes about values; the process that holds the machine answers about the newest ones. */
export function createReadingsModule({ store }: TelemetryModule, link: EdgeLink): Module {
  return { name: 'readings', roles: ['api'], routes: telemetryRoutes(store, link) }
}
