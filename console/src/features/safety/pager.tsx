import { useText } from '../../i18n/language.ts'
import { IconButton } from '../../ui/button.tsx'
import css from './safety-page.module.css'

interface PagerProps {
  /** Counted from 1. */
  page: number
  pages: number
  onPage: (page: number) => void
}

/** Which page of a list is shown, and the way to its neighbours. */
export function Pager({ page, pages, onPage }: PagerProps) {
  const t = useText().safety
  if (pages <= 1) return null
  return (
    <footer className={css.foot}>
      <span className="numbers">{t.page(page, pages)}</span>
      <IconButton
        icon="chevronLeft"
        label={t.previous}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        icon="chevronRight"
        label={t.next}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      />
    </footer>
  )
}
