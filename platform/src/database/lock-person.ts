import type { Kysely } from 'kysely'
import type { DB } from './schema.gen.ts'

/**
 * Lets one transaction at a time count what a person has and add to it: without it as many as run at once pass a limit
 * of "at most N". Held until the end of the transaction. A machine's or an enterprise's row is locked before it.
 */
export async function lockPerson(trx: Kysely<DB>, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}
