import type { Tile } from '@busbar/contract'
import { classes } from '../../../shared/ui/classes.ts'
import { chartNumber } from '../../../shared/ui/data/tag-value.ts'
import { TagValueText } from '../../../shared/ui/data/tag-value-text.tsx'
import { type FoundMachine, type FoundTag, useData } from '../board-data.ts'
import { MissingNote } from './missing-note.tsx'
import { scaleOf, shareOf } from './scale.ts'
import css from './tile.module.css'
import { useTagNow } from './use-tag.ts'

type BarOf = Extract<Tile, { type: 'bar' }>

/** Values beside one another on one scale. */
export function BarTile({ tile }: { tile: BarOf }) {
  const data = useData()
  const found = tile.tags.map((ref) => data.tag(ref))
  const known = found.filter((one) => typeof one !== 'string')
  const several = new Set(known.map(({ machine }) => machine.id)).size > 1
  // One scale for all, so that bars can be compared.
  const latest = known.map(({ tag }) => chartNumber(tag.latest?.value) ?? 0)
  const scales = known.map(({ tag }) => scaleOf(tag, tile, Math.max(0, ...latest)))
  const scale = {
    min: Math.min(...scales.map(({ min }) => min)),
    max: Math.max(...scales.map(({ max }) => max)),
  }
  return (
    <ul className={css.bars}>
      {found.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same variable may be shown twice
        <li key={index}>
          {typeof one === 'string' ? (
            <MissingNote why={one} isSmall />
          ) : (
            <Bar {...one} scale={scale} named={several} />
          )}
        </li>
      ))}
    </ul>
  )
}

interface BarProps {
  tag: FoundTag
  machine: FoundMachine
  scale: { min: number; max: number }
  named: boolean
}

function Bar({ tag, machine, scale, named }: BarProps) {
  const now = useTagNow(tag)
  const share = shareOf(now?.value, scale)
  const name = named ? `${machine.name} · ${tag.name}` : tag.name
  return (
    <>
      <span className={classes(css.barName, 'cut')} title={name}>
        {name}
      </span>
      <TagValueText value={now?.value} tag={tag} quality={now?.quality ?? 'good'} />
      <span className={css.barTrack} aria-hidden="true">
        <span
          className={classes(css.barFill, now?.quality !== 'good' && css.old)}
          style={{ width: `${(share ?? 0) * 100}%` }}
        />
      </span>
    </>
  )
}
