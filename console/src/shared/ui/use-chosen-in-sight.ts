import { type RefObject, useEffect } from 'react'

/**
 * Scrolls a row of tabs that is longer than the screen so that the chosen one is whole in sight. Only the row is
 * scrolled, and not the page around it.
 * @param state what may put it out of sight: which one is chosen, and counts that make those before it wider
 */
export function useChosenInSight(row: RefObject<HTMLElement | null>, state: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is what was drawn, not what is read here
  useEffect(() => {
    const chosen = row.current?.querySelector('[aria-selected="true"], [aria-checked="true"], [aria-current]')
    if (!row.current || !chosen) return
    const [outer, inner] = [row.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
    row.current.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
    // A menu beside a page is a column.
    if (inner.bottom > outer.bottom) row.current.scrollTop += inner.bottom - outer.bottom
  }, [state])
}
