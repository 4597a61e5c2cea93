import type { BoardTag } from '@busbar/contract'
import { formatExact, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { chartNumber, formatTagValue } from '../../../shared/ui/data/tag-value.ts'
import { QualityMark } from '../../../shared/ui/data/tag-value-text.tsx'
import { type FoundTag, useData } from '../board-data.ts'
import { MissingNote } from './missing-note.tsx'
import css from './tile.module.css'
import { useTagNow } from './use-tag.ts'

/** A state as shape and word: filled while it is on, a ring while it is off. */
export function StateTile({ tag: ref }: { tag: BoardTag }) {
  const found = useData().tag(ref)
  if (typeof found === 'string') return <MissingNote why={found} />
  return <State tag={found.tag} />
}

function State({ tag }: { tag: FoundTag }) {
  const { bool } = useText().machines
  const now = useTagNow(tag)
  const { text, unit } = formatTagValue(now?.value, tag, bool)
  const isOn = (chartNumber(now?.value) ?? 0) !== 0
  const quality = now?.quality ?? 'good'
  return (
    <p className={css.state} title={now && formatExact(now.time)}>
      <span className={classes(css.lamp, isOn && css.on, quality !== 'good' && css.old)} aria-hidden="true" />
      <span className="cut">{unit ? `${text} ${unit}` : text}</span>
      {quality !== 'good' && <QualityMark quality={quality} word="hidden" quiet />}
    </p>
  )
}
