import { withTransaction } from '../../kernel/database/database.ts'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import type { ClockJob } from '../../kernel/jobs/index.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { MessagesModule } from '../messages/index.ts'
import type { SampleLengths } from '../telemetry/index.ts'
import { locateJob, locateTold } from './locate-job.ts'
import { PlaceChanges } from './place-changes.ts'
import { listLongAway } from './place-changes-store.ts'
import { PlaceIntake } from './place-intake.ts'
import { movedAfterMs } from './place-rules.ts'
import { placesRoutes } from './places-routes.ts'
import { deletePlaces } from './places-store.ts'
import { Locator } from './providers/locator.ts'
import { thinJob } from './thin-places.ts'

interface Deps {
  readonly access: AccessPort
  readonly lengths: SampleLengths
  readonly messages: MessagesModule
}

/** Where machines are, and where addresses are (rules/places.md). */
export function createPlacesModule(kernel: Kernel, { access, lengths, messages }: Deps): Module {
  const { db, bus, facts, jobs, logger, now } = kernel
  const locator = new Locator(kernel)
  const changes = new PlaceChanges({ access, facts, now })
  const rights = { db, bus, facts, mailbox: messages.mailbox, access }
  const locating = { db, jobs, changes, locator, now }
  const intake = new PlaceIntake({
    ...{ db, bus, logger, changes, now },
    locateTold: (trx, machineId, told) => locateTold(locating, trx, machineId, told),
  })
  return {
    name: 'places',
    roles: ['api', 'jobs'],
    follows: [onNextOwner('places.ownerChanged', (trx, { machineId }) => deletePlaces(trx, machineId))],
    jobs: [movedJob(kernel, changes), thinJob(db, lengths), locateJob(locating)],
    start: () => intake.start(),
    stop: () => intake.stop(),
    routes: placesRoutes({ db, rights, changes, locator }),
  }
}

/** A machine that tells nothing more after it left is moved as well. */
const movedJob = ({ db }: Pick<Kernel, 'db'>, changes: PlaceChanges): ClockJob => ({
  name: 'places.moved',
  everyS: 30,
  async run({ now, signal }) {
    for (const machineId of await listLongAway(db, new Date(now - movedAfterMs))) {
      if (signal.aborted) return
      await withTransaction(db, (trx) => changes.look(trx, machineId))
    }
  },
})
