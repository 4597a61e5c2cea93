import type { Db } from './grants-store.ts'

/** A machine with the fields that checks before a change need; undefined if it does not exist. */
export async function findMachine(db: Db, machineId: number) {
  return db
    .selectFrom('machines')
    .select(['id', 'check_type', 'cloud_service', 'password_hash'])
    .where('id', '=', machineId)
    .executeTakeFirst()
}
