import { sql } from 'kysely'
import type { Db } from './accounts-store.ts'

/** Which entries are asked for; instants include their ends. */
export interface OwnAuditFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** What others do to somebody's account; such an entry names the person by id. */
const doneToOthers = ['user.lock', 'user.unlock', 'user.secondFactor.reset']

/**
 * A page of what a person did, and of what was done or tried with their account, newest first: a refused sign-in has
 * no actor but the account it was tried on.
 */
export async function listOwnAudit(
  db: Db,
  user: { id: number; accounts: readonly string[] },
  filter: OwnAuditFilter,
  start: number,
  count: number,
) {
  let entries = db
    .selectFrom('audit_entries')
    .where((where) =>
      where.or([
        where('actor_user_id', '=', user.id),
        where.and([
          where('actor_user_id', 'is', null),
          where('action', '=', 'user.login'),
          sql<boolean>`target = any(${user.accounts}::text[])`,
        ]),
        where.and([
          where('action', 'in', doneToOthers),
          sql<boolean>`detail ->> 'userId' = ${String(user.id)}`,
        ]),
      ]),
    )
  if (filter.from) entries = entries.where('at', '>=', filter.from)
  if (filter.to) entries = entries.where('at', '<=', filter.to)
  const [rows, total] = await Promise.all([
    entries
      .select(['at', 'actor_user_id', 'action', 'target', 'address', 'terminal', 'result'])
      .orderBy('id', 'desc')
      .offset(start)
      .limit(count)
      .execute(),
    entries.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type OwnAuditRow = Awaited<ReturnType<typeof listOwnAudit>>['rows'][number]
