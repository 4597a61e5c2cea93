import type { operator as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { type AskedOrder, byName, byText, orderOf } from '../../kernel/database/order.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { isFound } from '../../kernel/database/search.ts'
import type { Page } from './operator-store.ts'

type Db = Kysely<DB>

/** The text that a machine is searched by, as its index has it. */
const searchText = sql<string>`lower(code || ' ' || name || ' ' || model)`

/** A code is printed in groups of digits; other texts are as they were typed. */
function typedText(search: string): string {
  return /^[\d\s]+$/.test(search) ? search.replace(/\s/g, '') : search
}

const columns = {
  name: byName('machines.name'),
  code: byText('machines.code'),
  type: byName('machines.type'),
  lastSeenAt: { ...byText('machines.last_seen_at'), hasNulls: true },
  createdAt: byText('machines.id'),
} as const

/** The machine register, newest first by default. */
export async function listMachines(
  db: Db,
  page: Page,
  only: 'unowned' | 'neverSeen' | undefined,
  asked: AskedOrder<(typeof contract.machineOrders)[number]>,
) {
  const order = orderOf(columns, 'machines.id', asked, sql`machines.id desc`)
  let query = db.selectFrom('machines')
  if (only === 'unowned')
    query = query.where('owner_user_id', 'is', null).where('owner_enterprise_id', 'is', null)
  if (only === 'neverSeen') query = query.where('machines.last_seen_at', 'is', null)
  if (page.search) query = query.where(isFound('machines', searchText, typedText(page.search)))
  const shown = query.select('machines.id').orderBy(order).offset(page.offset).limit(page.count)
  const [rows, total] = await Promise.all([
    registerOf(db).where('machines.id', 'in', shown).orderBy(order).execute(),
    query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type MachineRow = Awaited<ReturnType<typeof listMachines>>['rows'][number]

/** Machines with their owner: every query of the register starts from here. */
export function registerOf(db: Db) {
  return db
    .selectFrom('machines')
    .leftJoin('users', 'users.id', 'machines.owner_user_id')
    .leftJoin('enterprises', 'enterprises.id', 'machines.owner_enterprise_id')
    .select([
      'machines.id',
      'machines.code',
      'machines.name',
      'machines.type',
      'machines.model',
      'machines.last_seen_at',
      'machines.created_at',
      'users.name as person',
      'enterprises.name as enterprise',
    ])
}

/** A machine under a lock until the end of the transaction. */
export async function lockMachine(trx: Db, machineId: number) {
  return trx
    .selectFrom('machines')
    .select(['id', 'code', 'type', 'model', 'owner_user_id', 'owner_enterprise_id'])
    .where('id', '=', machineId)
    .forUpdate()
    .executeTakeFirst()
}
