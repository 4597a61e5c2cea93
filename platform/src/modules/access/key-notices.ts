import type { Kysely } from 'kysely'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { createKeyNotices, type KeyNotice } from '../messages/index.ts'
import { listKeys } from './access-port.ts'

/** Notifies everybody who holds a key of the machine now, except those already notified within the period. */
export async function notifyKeysOnce(
  { db, bus }: { readonly db: Kysely<DB>; readonly bus: Bus },
  notice: KeyNotice,
): Promise<void> {
  const keys = await listKeys(db, notice.machineId, notice.now)
  const keyIds = keys.map(({ userId }) => userId)
  const userIds = await createKeyNotices(db, keyIds, notice)
  if (userIds.length > 0) bus.publish('messages', { userIds })
}
