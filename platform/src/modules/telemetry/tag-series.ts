import type { Lang } from '@busbar/contract'
import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import { joinSettings, shownColumns } from './tag-settings-store.ts'
import { chooseLabel } from './tag-text.ts'
import type { TagType } from './tag-type.ts'

/** A variable through all changes of its type. */
export interface TagSeries {
  readonly machineId: number
  /** As people read them. */
  readonly group: string
  readonly name: string
  readonly unit: string
  /** Digits after the decimal point; null: as values come. */
  readonly scale: number | null
  /** Its numbers have names. */
  readonly hasWords: boolean
  /** The oldest first, the current one last; each has an id of its own. */
  readonly versions: readonly { readonly id: number; readonly type: TagType }[]
}

interface SeriesRow {
  readonly asked: number
  readonly id: number
  readonly machine_id: number
  readonly type: TagType
  readonly group_name: string
  readonly name: string
  readonly label: Readonly<Record<string, string>>
  readonly unit: string
  readonly scale: number | null
  readonly has_words: boolean
}

/**
 * The variables that tags are versions of, in the order they were requested, each once; unknown ids and those of a
 * machine's former owner are left out. Names and unit are those of the newest version.
 */
export async function listSeries(db: Database, tagIds: readonly number[], lang: Lang): Promise<TagSeries[]> {
  if (tagIds.length === 0) return []
  const { rows } = await sql<SeriesRow>`
    select wanted.place::int as asked, tags.id, tags.machine_id, tags.type, tags.group_name, tags.name, ${shownColumns}
      from unnest(${[...tagIds]}::bigint[]) with ordinality as wanted (id, place)
      join tags asked on asked.id = wanted.id and asked.disowned_at is null
      join tags on tags.machine_id = asked.machine_id and tags.group_name = asked.group_name
       and tags.name = asked.name and tags.disowned_at is null
      ${joinSettings}
     order by wanted.place, tags.retired_at is null, tags.version`.execute(db)
  const found = new Map<string, SeriesRow[]>()
  const placeOf = new Map<string, number>()
  for (const row of rows) {
    const key = JSON.stringify([row.machine_id, row.group_name, row.name])
    // The request may have two versions of one variable.
    const place = placeOf.get(key) ?? row.asked
    placeOf.set(key, place)
    if (place !== row.asked) continue
    const versions = found.get(key) ?? []
    versions.push(row)
    found.set(key, versions)
  }
  return Array.from(found.values(), (versions): TagSeries => {
    const newest = versions.at(-1) as SeriesRow
    return {
      machineId: newest.machine_id,
      group: newest.label[`group/${lang}`] || newest.group_name,
      name: chooseLabel(newest.label, lang) || newest.name,
      unit: newest.unit,
      scale: newest.scale,
      hasWords: newest.has_words,
      versions: versions.map(({ id, type }) => ({ id, type })),
    }
  })
}
