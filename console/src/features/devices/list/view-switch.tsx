import { useQuery } from '@tanstack/react-query'
import { useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { useLayoutKind } from '../../../shared/ui/layout-kind.ts'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { useListSearch } from '../list-search.ts'
import type { ListType } from '../search.ts'
import css from './view-switch.module.css'

/** Whether the list may be drawn as a map: a person can hide all maps and places from themselves. */
export const useMayMap = (): boolean => useQuery(personQuery).data?.hide_map === false

/** The forms of the list: a table or, on a phone, cards; and a map. */
export function ViewSwitch() {
  const t = useText().machines.list.views
  const [search, updateSearch] = useListSearch()
  const mayMap = useMayMap()
  const isNarrow = useLayoutKind() === 'narrow'
  if (!mayMap) return null
  const rows: ListType = isNarrow ? 'cards' : 'list'
  const isMap = search.listType === 'map'
  const show = (listType: ListType) =>
    updateSearch({
      listType: listType === 'map' ? 'map' : undefined,
      ...(listType === 'map' && { place: undefined }),
    })
  if (isNarrow)
    return (
      <IconButton
        icon={isMap ? 'cards' : 'map'}
        bordered
        label={isMap ? t.cards : t.map}
        onClick={() => show(isMap ? 'cards' : 'map')}
      />
    )
  return (
    <ToggleGroup
      label={t.label}
      value={isMap ? 'map' : rows}
      onChange={show}
      options={[
        { value: rows, icon: <Icon name="list" />, label: <span className={css.word}>{t.list}</span> },
        { value: 'map', icon: <Icon name="map" />, label: <span className={css.word}>{t.map}</span> },
      ]}
    />
  )
}
