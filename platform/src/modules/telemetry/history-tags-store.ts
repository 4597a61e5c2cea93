import type { Database } from '../../kernel/database/database.ts'
import type { TagType } from './tag-type.ts'

/** A tag as its history knows it. A change of type makes another version of it, with an id of its own. */
export interface TagIdentity {
  readonly id: number
  readonly machineId: number
  readonly type: TagType
  /** Its numbers stand for words. */
  readonly hasWords: boolean
  readonly group: string
  readonly name: string
  readonly label: Readonly<Record<string, string>>
  readonly unit: string
  readonly scale: number | null
  readonly retiredAt: Date | null
  /** The versions next to it; null at either end. */
  readonly earlierId: number | null
  readonly laterId: number | null
}

/** Tags by their ids, retired versions included; unknown ids and those of a machine's former owner are left out. */
export async function listTagIdentities(db: Database, tagIds: readonly number[]): Promise<TagIdentity[]> {
  if (tagIds.length === 0) return []
  const rows = await db
    .selectFrom('tags')
    .select([
      'id',
      'machine_id',
      'type',
      'enum',
      'group_name',
      'name',
      'label',
      'unit',
      'scale',
      'retired_at',
    ])
    .select((of) => {
      const neighbour = (step: 1 | -1) =>
        of
          .selectFrom('tags as other')
          .select('other.id')
          .whereRef('other.machine_id', '=', 'tags.machine_id')
          .whereRef('other.group_name', '=', 'tags.group_name')
          .whereRef('other.name', '=', 'tags.name')
          .where('other.disowned_at', 'is', null)
          .where((where) => where('other.version', '=', where('tags.version', '+', step)))
      return [neighbour(-1).as('earlier_id'), neighbour(1).as('later_id')]
    })
    .where('id', 'in', [...tagIds])
    .where('disowned_at', 'is', null)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    machineId: row.machine_id,
    type: row.type as TagType,
    hasWords: row.enum !== null,
    group: row.group_name,
    name: row.name,
    label: row.label as Record<string, string>,
    unit: row.unit,
    scale: row.scale,
    retiredAt: row.retired_at,
    earlierId: row.earlier_id,
    laterId: row.later_id,
  }))
}
