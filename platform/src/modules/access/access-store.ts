import type { Kysely } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'
import type { AccessFacts } from './access-rules.ts'

/** The facts about a user and each of these machines; a machine that does not exist is left out. */
export async function listAccessFacts(
  db: Kysely<DB>,
  userId: number,
  machineIds: readonly number[],
): Promise<Map<number, AccessFacts>> {
  const rows = await db
    .selectFrom('machines')
    .leftJoin('machine_grants', (join) =>
      join.onRef('machine_grants.machine_id', '=', 'machines.id').on('machine_grants.user_id', '=', userId),
    )
    .leftJoin('machine_list_entries', (join) =>
      join
        .onRef('machine_list_entries.machine_id', '=', 'machines.id')
        .on('machine_list_entries.user_id', '=', userId),
    )
    .select([
      'machines.id',
      'machines.code',
      'machines.cloud_service',
      'machines.owner_user_id',
      'machine_grants.role',
      'machine_grants.until',
      'machine_grants.read_only',
      'machine_list_entries.machine_id as listed_id',
    ])
    .where('machines.id', 'in', [...machineIds])
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        machineCode: row.code,
        cloudService: row.cloud_service,
        isOwner: row.owner_user_id === userId,
        isListed: row.listed_id !== null,
        grant: row.role
          ? { role: row.role as 'bkey' | 'visitor', until: row.until, readOnly: row.read_only ?? false }
          : undefined,
      },
    ]),
  )
}
