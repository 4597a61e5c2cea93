import type { telemetry } from '@busbar/contract'

type Tag = telemetry.Tag

/** Whether a tag's name, its own name or its group contain the search text. */
export function matchesTag(tag: Tag, query: string): boolean {
  const wanted = query.trim().toLowerCase()
  if (!wanted) return true
  return `${tag.name}\n${tag.group}/${tag.tag}`.toLowerCase().includes(wanted)
}

/** A line in the list of variables: a group's name or a tag. */
export type VariableItem =
  | { readonly kind: 'group'; readonly name: string; readonly count: number }
  | { readonly kind: 'tag'; readonly tag: Tag }

/**
 * Tags under the names of their groups, groups and tags in the machine's own order. A single unnamed group
 * gets no header.
 */
export function listVariables(tags: readonly Tag[], query: string): VariableItem[] {
  const groups = new Map<string, Tag[]>()
  for (const tag of tags) {
    if (!matchesTag(tag, query)) continue
    const group = groups.get(tag.group)
    if (group) group.push(tag)
    else groups.set(tag.group, [tag])
  }
  const items: VariableItem[] = []
  for (const [name, members] of groups) {
    if (groups.size > 1 || name) items.push({ kind: 'group', name, count: members.length })
    for (const tag of members) items.push({ kind: 'tag', tag })
  }
  return items
}

export type TagOrder = 'machine' | 'ascending' | 'descending'

/** Tags by group and name, numbers in them by their value: zone 2 comes before zone 10. */
export function sortTags(tags: readonly Tag[], order: TagOrder, lang: string): readonly Tag[] {
  if (order === 'machine') return tags
  const { compare } = new Intl.Collator(lang === 'cn' ? 'zh-Hans' : 'en', { numeric: true })
  const sign = order === 'ascending' ? 1 : -1
  return [...tags].sort((a, b) => sign * (compare(a.group, b.group) || compare(a.name, b.name)))
}

/** The first tags of a trend: the key value if a curve can show it, else the first tag that a curve can show. */
export function firstTrendTags(tags: readonly Tag[], keyTagId: number | null): number[] {
  const drawable = tags.filter((tag) => tag.type !== 'string')
  const key = drawable.find((tag) => tag.tagId === keyTagId)
  const first = key ?? drawable.find((tag) => tag.type === 'float64') ?? drawable[0]
  return first ? [first.tagId] : []
}

/** The first tags of the history: those of the trend, or the first of all if the trend is empty. */
export function firstHistoryTags(tags: readonly Tag[], trendTags: readonly number[]): readonly number[] {
  const [first] = tags
  return trendTags.length > 0 || !first ? trendTags : [first.tagId]
}
