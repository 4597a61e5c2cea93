import type { Tile } from '@busbar/contract'
import { formatNumber } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { chartNumber } from '../../../shared/ui/data/tag-value.ts'
import { TagValueText } from '../../../shared/ui/data/tag-value-text.tsx'
import { type FoundTag, useData } from '../board-data.ts'
import { useBoardsText } from '../boards-text.ts'
import { MissingNote } from './missing-note.tsx'
import { scaleOf, shareOf } from './scale.ts'
import css from './tile.module.css'
import { useTagNow } from './use-tag.ts'

type GaugeOf = Extract<Tile, { type: 'gauge' }>

/** A value on a half circle. */
export function GaugeTile({ tile }: { tile: GaugeOf }) {
  const found = useData().tag(tile.tag)
  if (typeof found === 'string') return <MissingNote why={found} />
  return <Gauge tag={found.tag} own={tile} />
}

const radius = 44
/** The length of the half circle. */
const arc = Math.PI * radius
const path = `M6 50a${radius} ${radius} 0 0 1 ${2 * radius} 0`

function Gauge({ tag, own }: { tag: FoundTag; own: Pick<GaugeOf, 'min' | 'max'> }) {
  const t = useBoardsText().tile
  const now = useTagNow(tag)
  const scale = scaleOf(tag, own, chartNumber(now?.value))
  const share = shareOf(now?.value, scale)
  const [min, max] = [formatNumber(scale.min, null), formatNumber(scale.max, null)]
  return (
    <div className={css.gauge}>
      <svg viewBox="0 0 100 56" role="img" aria-label={t.scale(min, max)}>
        <path d={path} className={css.track} />
        {share !== null && (
          <path
            d={path}
            className={classes(css.hand, now?.quality !== 'good' && css.old)}
            strokeDasharray={`${arc * share} ${arc}`}
          />
        )}
      </svg>
      <p className={css.gaugeValue}>
        <TagValueText value={now?.value} tag={tag} quality={now?.quality ?? 'good'} />
      </p>
      <p className={css.ends} aria-hidden="true">
        <span>{min}</span>
        <span>{max}</span>
      </p>
    </div>
  )
}
