import type { BoardTag } from '@busbar/contract'
import { formatExact } from '../../../shared/i18n/index.ts'
import { TagValueText } from '../../../shared/ui/data/tag-value-text.tsx'
import { type FoundTag, useData } from '../board-data.ts'
import { MissingNote } from './missing-note.tsx'
import css from './tile.module.css'
import { useTagNow } from './use-tag.ts'

/** One value, as large as the tile lets it be. */
export function ValueTile({ tag: ref }: { tag: BoardTag }) {
  const found = useData().tag(ref)
  if (typeof found === 'string') return <MissingNote why={found} />
  return <Value tag={found.tag} />
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
