import type { Kernel } from '../../kernel/kernel.ts'
import { counter, gauge } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import type { ProjectPlans } from './project-plans.ts'
import { StreamReader } from './stream-reader.ts'
import { ProjectStreams } from './stream-store.ts'

export interface ProjectStreamModule extends Module {
  readonly streams: ProjectStreams
}

/** The module of projects' streams; of all processes with the role `jobs` one reads the logs of samples for them. */
export function createProjectStreamModule(
  kernel: Kernel,
  { plans }: { readonly plans: ProjectPlans },
): ProjectStreamModule {
  const { db, pools, bus, logger, now, node } = kernel
  const samplesDb = pools.samples.calls
  const streams = new ProjectStreams({ samplesDb, bus, now })
  const reader = new StreamReader({ db, samplesDb, streams, plans, holder: node.incarnation, logger, now })
  return {
    name: 'project-stream',
    roles: ['jobs'],
    streams,
    start: () => reader.start(),
    stop: () => reader.stop(),
    metrics: () => [
      counter('busbar_project_rows_total', 'Rows appended to the streams of projects', reader.rows),
      gauge(
        'busbar_project_stream_lag_seconds',
        'Time from the commit of samples to their rows in the streams of projects',
        reader.lagMs / 1_000,
      ),
    ],
  }
}
