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
    .leftJoin('machine_blacklist', (join) =>
      join
        .onRef('machine_blacklist.machine_id', '=', 'machines.id')
        .on('machine_blacklist.user_id', '=', userId),
    )
    .select([
      'machine_grants.id as grant_id',
      'machine_grants.alarms',
      'machine_blacklist.machine_id as blacklisted_id',
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
        isBlacklisted: row.blacklisted_id !== null,
        grant:
          row.grant_id === null
            ? undefined
            : {
                id: row.grant_id,
                role: row.role as 'bkey' | 'visitor',
                until: row.until,
                readOnly: row.read_only ?? false,
                alarms: row.alarms ?? true,
              },
      },
    ]),
  )
}

/** The machine of a code. */
export async function findMachineIdByCode(db: Kysely<DB>, code: string): Promise<number | undefined> {
  const row = await db.selectFrom('machines').select('id').where('code', '=', code).executeTakeFirst()
  return row?.id
}

/** The machine a grant is for. */
export async function findMachineIdByGrant(db: Kysely<DB>, grantId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('machine_grants')
    .select('machine_id')
    .where('id', '=', grantId)
    .executeTakeFirst()
  return row?.machine_id
}
