import { type RefObject, useEffect } from 'react'

/**
 * Scrolls a row of tabs that is longer than the screen so that the chosen one is whole in sight. Only the row is
 * scrolled, and not the page around it.
 * @param state what may put it out of sight: which one is chosen, and counts that make those before it wider
 */
export function useChosenInSight(row: RefObject<HTMLElement | null>, state: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is what was drawn, not what is read here
  useEffect(() => {
    if (!row.current) return
    scrollTo(row.current)
    // A phone that is turned.
    const observer = new ResizeObserver((changes) => {
      for (const { target } of changes) scrollTo(target)
    })
    observer.observe(row.current)
    return () => observer.disconnect()
  }, [state])
}

function scrollTo(row: Element): void {
  const chosen = row.querySelector('[aria-selected="true"], [aria-checked="true"], [aria-current]')
  if (!chosen) return
  const [outer, inner] = [row.getBoundingClientRect(), chosen.getBoundingClientRect()]
  row.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
  // A menu beside a page is a column.
  if (inner.bottom > outer.bottom) row.scrollTop += inner.bottom - outer.bottom
}
