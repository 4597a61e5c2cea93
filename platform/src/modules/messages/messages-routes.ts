import { messages as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'
import { type Binding, bind } from '../../http/bind.ts'

/** Unread messages of a user in each tab. */
async function countUnread(db: Kysely<DB>, userId: number): Promise<Record<contract.MessageTab, number>> {
  const rows = await db
    .selectFrom('messages')
    .select(['tab', sql<number>`count(*)`.as('count')])
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .groupBy('tab')
    .execute()
  const counts = { inbox: 0, sent: 0, alarm: 0, project: 0, device: 0 }
  for (const row of rows) counts[row.tab as contract.MessageTab] = row.count
  return counts
}

/** How many messages wait to be read. */
export function messagesRoutes(db: Kysely<DB>): Binding[] {
  return [
    bind(contract.getTotalUnread, async ({ scene }, { user }) => {
      const byScene = await countUnread(db, user.userId)
      const total = Object.values(byScene).reduce((sum, count) => sum + count, 0)
      return { totalUnreadMsg: scene ? byScene[scene] : total, byScene }
    }),
  ]
}
