import { type Expression, type RawBuilder, sql } from 'kysely'

/*
 * PostgreSQL plans a statement each time it is sent, which for a join of many tables takes longer than reading a few
 * rows. Of a statement with a name a connection keeps the plan. That pays where the same text is sent often and every
 * set of parameters wants the same plan: for one row by its key, not for a list that may hold one or ten thousand.
 */

const mark = /^-- plan: (\S+)\n/

/** `statement`, its plan kept by each connection under `name`: one name for one text. Its columns are all named. */
export function withKeptPlan<T>(name: string, statement: Expression<T>): RawBuilder<T> {
  return sql<T>`${sql.raw(`-- plan: ${name}\n`)}${statement}`
}

/** The name under which a connection keeps this statement's plan; undefined for one that is planned each time. */
export function keptPlanName(text: string): string | undefined {
  return mark.exec(text)?.[1]
}
