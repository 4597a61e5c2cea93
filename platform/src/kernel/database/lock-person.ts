import type { Kysely } from 'kysely'
import type { DB } from './schema.gen.ts'

/**
 * Lets one transaction at a time count a person's rows and add to them. Without the lock, parallel transactions would
 * exceed a limit of "at most N". Held until the end of the transaction. Lock a machine's or an enterprise's row before it.
 */
export async function lockPerson(trx: Kysely<DB>, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}
