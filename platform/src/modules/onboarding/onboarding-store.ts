import type { onboarding as contract } from '@busbar/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>
type Trx = Transaction<DB>

/** The person or the enterprise that machines are registered for. */
export type Registrant = { readonly userId: number } | { readonly eid: number }

/** Machines that a person or an enterprise registered and that are still in the register, whoever has them now. */
export async function countRegistered(db: Db, registrant: Registrant): Promise<number> {
  const query = db.selectFrom('self_registered').select(sql<number>`count(*)`.as('count'))
  const own =
    'eid' in registrant
      ? query.where('enterprise_id', '=', registrant.eid)
      : query.where('user_id', '=', registrant.userId)
  return (await own.executeTakeFirstOrThrow()).count
}

export async function createRegistered(
  trx: Db,
  machineId: number,
  registrant: Registrant,
  { kind, at }: { readonly kind: contract.OnboardingKind; readonly at: Date },
): Promise<void> {
  await trx
    .insertInto('self_registered')
    .values({
      machine_id: machineId,
      user_id: 'eid' in registrant ? null : registrant.userId,
      enterprise_id: 'eid' in registrant ? registrant.eid : null,
      kind,
      created_at: at,
    })
    .execute()
}

/** How a machine was registered and when it first connected; undefined where people did not register it themselves. */
export async function findRegistered(db: Db, machineId: number) {
  const row = await db
    .selectFrom('self_registered')
    .leftJoin('first_connections', 'first_connections.machine_id', 'self_registered.machine_id')
    .select(['self_registered.kind', 'first_connections.at'])
    .where('self_registered.machine_id', '=', machineId)
    .executeTakeFirst()
  return row && { kind: row.kind as contract.OnboardingKind, connectedAt: row.at }
}

/**
 * Locks machines that people registered, never connected, and left without an owner before this time; those that are in
 * somebody's list stay. Answers at most `count`.
 */
export async function lockAbandoned(
  trx: Trx,
  before: Date,
  count: number,
): Promise<{ readonly id: number; readonly code: string }[]> {
  const { rows } = await sql<{ id: number; code: string }>`
    select machines.id, machines.code
    from self_registered join machines on machines.id = self_registered.machine_id
    where self_registered.created_at < ${before}
      and owner_user_id is null and owner_enterprise_id is null
      and (owned_since is null or owned_since < ${before})
      and not exists (select from first_connections where machine_id = machines.id)
      and not exists (select from machine_list_entries where machine_id = machines.id)
    order by self_registered.created_at limit ${count}
    for update of machines skip locked`.execute(trx)
  return rows
}
