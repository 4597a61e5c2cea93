import { type TileType, tileTypes } from '@busbar/contract'
import { Button } from '../../../shared/ui/button.tsx'
import type { IconName } from '../../../shared/ui/icon-paths.ts'
import { Menu, MenuItem } from '../../../shared/ui/menu/menu.tsx'
import { useBoardsText } from '../boards-text.ts'

const icons = {
  value: 'tag',
  state: 'eye',
  gauge: 'clock',
  bar: 'sliders',
  trend: 'chart',
  strip: 'history',
  table: 'list',
  alarms: 'alarm',
  picture: 'image',
  text: 'edit',
  page: 'signIn',
} as const satisfies Record<TileType, IconName>

/** Offers the kinds of tiles. */
export function AddMenu({ isFull, onAdd }: { isFull: boolean; onAdd: (type: TileType) => void }) {
  const t = useBoardsText()
  const button = (
    <Button icon="plus" disabled={isFull} {...(isFull ? { title: t.edit.full } : {})}>
      {t.edit.add}
    </Button>
  )
  return (
    <Menu label={t.edit.add} trigger={button}>
      {tileTypes.map((type) => (
        <MenuItem key={type} icon={icons[type]} onAction={() => onAdd(type)}>
          {t.kinds[type]}
        </MenuItem>
      ))}
    </Menu>
  )
}
