import type { Kernel } from '../../kernel/kernel.ts'
import { counter, gauge, Measured } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import type { ProjectsModule } from '../projects/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import { LogKeeper } from './log-keeper.ts'
import { ReaderStore } from './reader-store.ts'
import { StreamKeeping } from './stream-keeping.ts'
import { StreamReader } from './stream-reader.ts'
import { ProjectStreams } from './stream-store.ts'

const keepS = 60
const gigabyte = 1_000_000_000

interface Deps {
  readonly projects: ProjectsModule
  readonly telemetry: TelemetryModule
}

export interface ProjectStreamModule extends Module {
  readonly streams: ProjectStreams
}

/** The streams of projects; of the processes with the role `jobs` one reads the logs of samples for all of them. */
export function createProjectStreamModule(
  kernel: Kernel,
  { projects, telemetry }: Deps,
): ProjectStreamModule {
  const { db, pools, bus, config, logger, now, node } = kernel
  const samplesDb = pools.samples.calls
  const streams = new ProjectStreams({ samplesDb, bus, now })
  const store = new ReaderStore(samplesDb, node.incarnation)
  const reader = new StreamReader({ db, samplesDb, store, streams, links: projects.links, logger, now })
  const keeper = new LogKeeper({ samplesDb, store, streams, logger, now })
  const bytesMax = config.PROJECT_STREAM_GB_MAX * gigabyte
  const keeping = new StreamKeeping({ db, samplesDb, bytesMax })
  const unreadMs = new Measured(0, () => keeper.unreadMs(), logger)
  const bytes = new Measured(0, () => keeping.bytes(), logger)
  telemetry.store.keepLogFor(keeper)
  return {
    name: 'project-stream',
    roles: ['jobs'],
    streams,
    jobs: [{ name: 'projectStream.keep', everyS: keepS, run: (run) => keeping.run(run) }],
    start() {
      unreadMs.start()
      bytes.start()
      reader.start()
    },
    async stop() {
      unreadMs.stop()
      bytes.stop()
      await reader.stop()
    },
    metrics: () => [
      counter('busbar_project_rows_total', 'Rows appended to the streams of projects', reader.rows),
      gauge(
        'busbar_project_stream_lag_seconds',
        'Time from the commit of samples to their rows in the streams of projects, of the last ones',
        reader.lagMs / 1_000,
      ),
      gauge(
        'busbar_project_stream_waiting',
        'Commits that were read at once for the streams last',
        reader.waiting,
      ),
      gauge(
        'busbar_project_stream_unread_seconds',
        'Age of the oldest commit that is not in the streams of projects',
        unreadMs.value / 1_000,
      ),
      gauge('busbar_project_stream_bytes', 'Bytes of the streams of all projects', bytes.value),
    ],
  }
}
