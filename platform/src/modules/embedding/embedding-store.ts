import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>

/** A project by one of its keys, as far as embedding goes. */
export interface EmbeddingProject {
  readonly mayEmbed: boolean
  readonly origins: string[]
}

export async function findEmbeddingProject(db: Db, projectId: number): Promise<EmbeddingProject | undefined> {
  const row = await db
    .selectFrom('projects')
    .select(['may_embed', 'origins'])
    .where('id', '=', projectId)
    .where('is_stopped_by_operator', '=', false)
    .executeTakeFirst()
  return row && { mayEmbed: row.may_embed, origins: row.origins }
}

/** Whether a person accepted to be a member of a project. */
export async function isMember(db: Db, projectId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select('project_members.id')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('accepted_at', 'is not', null)
    .where('users.state', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

/** Of a project that embeds, to a member, by a key that is valid; undefined otherwise. */
export async function findTerms(
  db: Db,
  { projectId, keyId, userId }: { projectId: number; keyId: number; userId: number },
  now: number,
): Promise<{ readonly origins: string[]; readonly keyEndsAt: Date | null } | undefined> {
  const { rows } = await sql<{ origins: string[]; keyEndsAt: Date | null }>`
    select project.origins, key.ends_at as "keyEndsAt"
    from projects project
    join project_keys key on key.project_id = project.id and key.id = ${keyId}
      and (key.ends_at is null or key.ends_at > ${new Date(now)})
    join project_members member on member.project_id = project.id and member.user_id = ${userId}
      and member.accepted_at is not null
    where project.id = ${projectId} and project.may_embed and not project.is_stopped_by_operator
      and cardinality(project.origins) > 0`.execute(db)
  return rows[0]
}
