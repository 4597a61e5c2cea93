import type { Tile } from '@busbar/contract'
import { formatExact } from '../../../shared/i18n/index.ts'
import { TagValueText } from '../../../shared/ui/data/tag-value-text.tsx'
import { type FoundTag, useData } from '../board-data.ts'
import { useTime } from '../view/board-time.ts'
import { MissingNote } from './missing-note.tsx'
import css from './tile.module.css'
import { useTagNow } from './use-tag.ts'
import { useTileRise } from './use-tile-rise.ts'

type ValueOf = Extract<Tile, { type: 'value' }>

/** One value, as large as the tile lets it be: the newest, or the rise of a counter over the board's time. */
export function ValueTile({ tile }: { tile: ValueOf }) {
  const found = useData().tag(tile.tag)
  if (typeof found === 'string') return <MissingNote why={found} />
  return tile.figure === 'rise' ? <Rise tag={found.tag} /> : <Value tag={found.tag} />
}

function Value({ tag }: { tag: FoundTag }) {
  const now = useTagNow(tag)
  return (
    <p className={css.figure} title={now && formatExact(now.time)}>
      <TagValueText
        className={css.large}
        value={now?.value}
        tag={tag}
        quality={now?.quality ?? 'good'}
        mark="glyph"
      />
    </p>
  )
}

function Rise({ tag }: { tag: FoundTag }) {
  const rise = useTileRise(tag, useTime().span)
  if (typeof rise === 'string') return <MissingNote why={rise} />
  return (
    <p className={css.figure}>
      <TagValueText className={css.large} value={rise.value} tag={tag} quality="good" />
    </p>
  )
}
