import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { deleteToldPlace } from '../machine-register/index.ts'

/** Removes everything that is known of where a machine is and was. */
export async function deletePlaces(trx: Transaction<DB>, machineId: number): Promise<void> {
  await trx.deleteFrom('machine_places').where('machine_id', '=', machineId).execute()
  await trx.deleteFrom('machine_place_history').where('machine_id', '=', machineId).execute()
  await trx.deleteFrom('place_asks').where('machine_id', '=', machineId).execute()
  await trx.deleteFrom('place_refreshes').where('machine_id', '=', machineId).execute()
  await deleteToldPlace(trx, machineId)
}
