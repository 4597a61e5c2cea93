import { Icon } from '../../../shared/ui/icon.tsx'
import type { Missing } from '../board-data.ts'
import { useBoardsText } from '../boards-text.ts'
import css from './tile.module.css'

const icons = {
  choose: 'devices',
  elsewhere: 'lock',
  notHere: 'devices',
  noRight: 'lock',
  noTag: 'tag',
  wait: 'clock',
  failed: 'warning',
} as const satisfies Record<Missing, string>

/** Says why a tile is empty; while the data is loading, it shows a placeholder. */
export function MissingNote({ why, isSmall = false }: { why: Missing; isSmall?: boolean }) {
  const t = useBoardsText().tile
  if (why === 'wait') return <span className={css.wait} role="status" aria-label={t.wait} />
  return (
    <p className={isSmall ? css.missingSmall : css.missing} data-missing={why}>
      <Icon name={icons[why]} size={isSmall ? 12 : 16} />
      {t[why]}
    </p>
  )
}
