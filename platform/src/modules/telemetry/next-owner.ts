import { sql } from 'kysely'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'

/**
 * Keeps a machine's data from its next owner: its tags with their values, the settings of the former keys, and the
 * reported losses.
 */
export const ownerFollower = onNextOwner('telemetry.ownerChanged', async (trx, { machineId, at: atMs }) => {
  const at = new Date(atMs)
  await sql`delete from tag_latest using tags where tags.id = tag_id and tags.machine_id = ${machineId}`.execute(
    trx,
  )
  await trx
    .updateTable('tags')
    .set({ disowned_at: at, retired_at: sql<Date>`coalesce(retired_at, ${at})` })
    .where('machine_id', '=', machineId)
    .where('disowned_at', 'is', null)
    .execute()
  await trx.deleteFrom('tag_settings').where('machine_id', '=', machineId).execute()
  await trx.deleteFrom('lost_spans').where('machine_id', '=', machineId).execute()
})
