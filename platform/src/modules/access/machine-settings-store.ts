import type { Db } from './grants-store.ts'

/** A machine as checks before a change of it need it; undefined when there is none. */
export async function findMachine(db: Db, machineId: number) {
  return db
    .selectFrom('machines')
    .select(['id', 'check_type', 'cloud_service', 'password_hash'])
    .where('id', '=', machineId)
    .executeTakeFirst()
}
