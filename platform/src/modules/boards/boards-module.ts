import { boardLimits } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { Mailbox } from '../messages/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import { boardsRoutes } from './boards-routes.ts'
import { removeOld, viewedMs } from './boards-store.ts'

interface Deps {
  readonly access: AccessPort
  readonly telemetry: TelemetryModule
  readonly link: EdgeLink
  readonly mailbox: Pick<Mailbox, 'write'>
}

const dayMs = 86_400_000

/** Boards of tiles. */
export function createBoardsModule({ db, now }: Kernel, deps: Deps): Module {
  const { access, link, mailbox } = deps
  return {
    name: 'boards',
    roles: ['api'],
    routes: boardsRoutes({ db, access, telemetry: deps.telemetry.store, link, mailbox }),
    jobs: [
      {
        name: 'boards.removeOld',
        everyS: 3_600,
        run: () =>
          removeOld(db, new Date(now() - boardLimits.boardRestoreDays * dayMs), new Date(now() - viewedMs)),
      },
    ],
  }
}
