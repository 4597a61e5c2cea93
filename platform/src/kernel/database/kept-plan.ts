import { type Expression, type RawBuilder, sql } from 'kysely'

/*
 * PostgreSQL plans a statement each time it is sent, which for a join of many tables takes longer than reading a few
 * rows. For a named statement a connection caches the plan, and from the sixth time on a generic one for any
 * parameters. That pays if the same text is sent often and every set of parameters finds one row by its key. It is
 * ruinous if they may find one row or ten thousand: a query for everybody who lists a machine becomes twenty times
 * slower by the plan for a usual machine.
 */

const mark = /^-- plan: (\S+)\n/

/**
 * `statement`, its plan kept by each connection under `name`: one name for one text, and another name where a migration
 * changes the type of a column it answers, since a connection that keeps the old plan could only refuse.
 */
export function withKeptPlan<T>(name: string, statement: Expression<T>): RawBuilder<T> {
  return sql<T>`${sql.raw(`-- plan: ${name}\n`)}${statement}`
}

/** The name under which a connection keeps this statement's plan; undefined for one that is planned each time. */
export function keptPlanName(text: string): string | undefined {
  return mark.exec(text)?.[1]
}
