import { type ReactNode, useRef } from 'react'
import { useChosenInSight } from '../use-chosen-in-sight.ts'
import css from './tabs.module.css'

/** The look of a tab, for a link in `TabLinks`; the chosen one has `aria-current`. */
export const tabClass = css.tab ?? ''

interface TabLinksProps {
  /** The name of the row for screen readers. */
  label: string
  /** Changes with the choice, which is then brought into sight. */
  chosen: string
  /** Links with `tabClass`. */
  children: ReactNode
}

/** Tabs for pages with separate addresses: a row of links. */
export function TabLinks({ label, chosen, children }: TabLinksProps) {
  const row = useRef<HTMLElement>(null)
  useChosenInSight(row, chosen)
  return (
    <nav ref={row} className={`${css.row} fades`} aria-label={label}>
      {children}
    </nav>
  )
}
