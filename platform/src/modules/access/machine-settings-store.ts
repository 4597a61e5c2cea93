import type { Db, Trx } from './grants-store.ts'

/** What a machine's keys may change about it; hashes, never the texts. */
export interface MachineSettings {
  readonly name?: string
  readonly check_type?: number
  readonly cloud_service?: boolean
  readonly password_hash?: string
  readonly secret_hash?: Buffer
  readonly adapter?: string | null
  readonly time_zone?: string
  readonly project_image?: string | null
}

/** Changes a machine's settings. */
export async function updateMachine(trx: Trx, machineId: number, settings: MachineSettings): Promise<void> {
  await trx.updateTable('machines').set(settings).where('id', '=', machineId).execute()
}

/** A machine as checks before a change of it need it; undefined when there is none. */
export async function findMachine(db: Db, machineId: number) {
  return db
    .selectFrom('machines')
    .select(['id', 'check_type', 'cloud_service', 'password_hash'])
    .where('id', '=', machineId)
    .executeTakeFirst()
}
