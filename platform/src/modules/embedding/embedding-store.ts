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

/** Whether a person accepted to be a member of a project, belongs to its enterprise if it has one, and may sign in. */
export async function isMember(db: Db, projectId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from projects project ${joinMember(userId)} where project.id = ${projectId}`.execute(db)
  return rows.length > 0
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
    ${joinMember(userId)}
    where project.id = ${projectId} and project.may_embed and not project.is_stopped_by_operator
      and cardinality(project.origins) > 0`.execute(db)
  return rows[0]
}

/** The owner of an enterprise's project keeps their row in it when they leave the enterprise. */
const joinMember = (userId: number) => sql`
  join project_members member on member.project_id = project.id and member.user_id = ${userId}
    and member.accepted_at is not null
  join users person on person.id = member.user_id and person.state = 'active'
    and (project.enterprise_id is null or exists (select from enterprise_members mate
      where mate.enterprise_id = project.enterprise_id and mate.user_id = person.id))`
