import { places as contract } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import { bind } from '../../kernel/http/bind.ts'
import type { ClockJob } from '../../kernel/jobs/index.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { SampleLengths } from '../telemetry/index.ts'
import { PlaceChanges } from './place-changes.ts'
import { listLongAway } from './place-changes-store.ts'
import { PlaceIntake } from './place-intake.ts'
import { movedAfterMs } from './place-rules.ts'
import { deletePlaces } from './places-store.ts'
import { Locator } from './providers/locator.ts'
import { thinJob } from './thin-places.ts'

/** A tenth of a metre: no provider knows more. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

interface Deps {
  readonly access: AccessPort
  readonly lengths: SampleLengths
}

/** Where machines are, and where addresses are (rules/places.md). */
export function createPlacesModule(kernel: Kernel, { access, lengths }: Deps): Module {
  const { db, bus, facts, logger, now } = kernel
  const locator = new Locator(kernel)
  const changes = new PlaceChanges({ access, facts, now })
  const intake = new PlaceIntake({ db, bus, logger, changes, now })
  return {
    name: 'places',
    roles: ['api', 'jobs'],
    follows: [onNextOwner('places.ownerChanged', (trx, { machineId }) => deletePlaces(trx, machineId))],
    jobs: [movedJob(kernel, changes), thinJob(db, lengths)],
    start: () => intake.start(),
    stop: () => intake.stop(),
    routes: [
      bind(contract.searchAddress, async ({ q }, { lang }) => {
        const found = await locator.searchAddress(q, lang)
        return found.map(({ name, address, lat, lng }) => ({
          name,
          address,
          lat: round(lat),
          lng: round(lng),
        }))
      }),
    ],
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
