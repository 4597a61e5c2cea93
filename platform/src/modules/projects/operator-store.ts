import { sql } from 'kysely'
import type { Db } from './links-store.ts'
import { columns, owners, type ProjectRow, useOf } from './projects-store.ts'

/** A page of all projects, the newest first. */
export async function listAllProjects(
  db: Db,
  { offset, count, pattern }: { readonly offset: number; readonly count: number; readonly pattern: string },
  now: number,
): Promise<{ rows: (ProjectRow & { readonly enterprise: string })[]; total: number }> {
  const found = sql`from projects project ${owners}
    left join enterprises space on space.id = project.enterprise_id left join users person on person.id = boss.user_id
    where lower(project.name) like ${pattern} or lower(space.name) like ${pattern} or lower(person.name) like ${pattern}`
  const { rows } = await sql<ProjectRow & { enterprise: string }>`
    select ${columns}, ${useOf(now)}, coalesce(space.name, '') as enterprise ${found}
    order by project.id desc offset ${offset} limit ${count}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total ${found}`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}
