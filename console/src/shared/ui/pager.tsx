import { formatNumber, useText } from '../i18n/index.ts'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { Row } from './layout/layout.tsx'
import css from './pager.module.css'

interface PagerProps {
  /** Counted from 1. */
  page: number
  pages: number
  size?: 'small' | 'medium'
  /** At the foot of a panel, with a line above it. */
  isFoot?: boolean
  onPage: (page: number) => void
}

/** The page number of a list and links to its neighbours; renders nothing for a single page. */
export function Pager({ page, pages, size = 'medium', isFoot = false, onPage }: PagerProps) {
  const t = useText().app.pager
  if (pages <= 1) return null
  return (
    <Row gap={4} tone="quiet" size={12} className={classes(css.pager, isFoot && css.foot)}>
      <span className="numbers">{t.page(formatNumber(page), formatNumber(pages))}</span>
      <IconButton
        icon="chevronLeft"
        size={size}
        label={t.previous}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        icon="chevronRight"
        size={size}
        label={t.next}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      />
    </Row>
  )
}
