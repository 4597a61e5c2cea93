import { sql } from 'kysely'
import type { Db } from './accounts-store.ts'

/** The requested entries; instants include their ends. */
export interface OwnAuditFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** Actions of others on a person's account; such an entry has the person's id as its target. */
const doneToOthers = ['user.lock', 'user.unlock', 'user.secondFactor.reset']

/**
 * A page of a person's actions, and of actions and attempts on their account, newest first: a refused sign-in has no
 * actor, only the account.
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
