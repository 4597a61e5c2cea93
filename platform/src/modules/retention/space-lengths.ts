import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Space } from '../spaces/index.ts'
import { type Kept, keptDays, type SampleLengths } from '../telemetry/index.ts'
import { listInEffect, listSpaces } from './retention-store.ts'

const keyOf = (space: Space): string =>
  'userId' in space ? `user ${space.userId}` : `enterprise ${space.enterpriseId}`

/** The retention of samples: the present setting of the machine's space, with the operator's limit for raw ones. */
export function createSpaceLengths(db: Kysely<DB>, rawDaysMax: number): SampleLengths {
  return {
    async read(now) {
      const inEffect = await listInEffect(db, new Date(now), rawDaysMax)
      const bySpace = new Map<string, Kept>(inEffect.map(({ space, kept }) => [keyOf(space), kept]))
      return {
        own: [...bySpace.values()],
        async ofMachines(machineIds) {
          const spaces = await listSpaces(db, machineIds)
          return (machineId) => {
            const space = spaces.get(machineId)
            return (space && bySpace.get(keyOf(space))) ?? keptDays
          }
        },
      }
    },
  }
}
