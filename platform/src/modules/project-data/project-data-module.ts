import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { ProjectStreamModule } from '../project-stream/index.ts'
import type { ProjectsModule } from '../projects/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import type { WritesModule } from '../writes/index.ts'
import { HistoryCursors } from './history-cursor.ts'
import { ProjectCommands } from './project-commands.ts'
import { ProjectSessions } from './project-sessions.ts'
import { PullCursors } from './pull-cursor.ts'
import { PullHistory } from './pull-history.ts'
import { pullRoutes } from './pull-routes.ts'
import { PullService } from './pull-service.ts'
import { RowWaiter } from './row-waiter.ts'
import { removeExpired } from './sessions-store.ts'

interface Deps {
  readonly projects: ProjectsModule
  readonly projectStream: ProjectStreamModule
  readonly telemetry: TelemetryModule
  readonly writes: WritesModule
}

export interface ProjectDataModule extends Module {
  /** Lets projects sign in to our own MQTT endpoint. */
  readonly door: ProjectSessions
}

/** The rows of projects for programs that fetch them: by calls with a cursor, and by our own MQTT endpoint. */
export function createProjectDataModule(kernel: Kernel, deps: Deps): ProjectDataModule {
  const { db, bus, rights, logger, secrets, now } = kernel
  const { links, keys, quota } = deps.projects
  const { streams } = deps.projectStream
  const waiter = new RowWaiter(bus)
  const cursors = new PullCursors(secrets.derive('project cursors'))
  const history = new PullHistory({
    ...{ db, links, quota, now },
    telemetry: deps.telemetry.store,
    cursors: new HistoryCursors(secrets.derive('project history cursors')),
  })
  const commands = new ProjectCommands({
    db,
    bus,
    links,
    telemetry: deps.telemetry.store,
    writes: deps.writes.writes,
    logger,
  })
  const door = new ProjectSessions({ db, bus, rights, streams, links, keys, quota, commands, logger, now })
  return {
    name: 'project-data',
    roles: ['api', 'edge'],
    door,
    routes: pullRoutes(
      keys,
      new PullService({ db, streams, links, quota, keys, cursors, waiter, now }),
      history,
    ),
    jobs: [
      {
        name: 'projectData.removeSessions',
        everyS: 3_600,
        run: () => removeExpired(db, new Date(now())),
      },
    ],
    start: () => door.start(),
    async stop() {
      waiter.stop()
      await door.stop()
    },
  }
}
