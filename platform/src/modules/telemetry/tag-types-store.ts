import type { Database } from '../../kernel/database/database.ts'
import type { TagType } from './tag-type.ts'

/** The types of tags, retired versions included; unknown ids are left out. */
export async function listTagTypes(
  db: Database,
  tagIds: readonly number[],
): Promise<{ id: number; type: TagType }[]> {
  if (tagIds.length === 0) return []
  const rows = await db
    .selectFrom('tags')
    .select(['id', 'type'])
    .where('id', 'in', [...tagIds])
    .execute()
  return rows.map(({ id, type }) => ({ id, type: type as TagType }))
}
