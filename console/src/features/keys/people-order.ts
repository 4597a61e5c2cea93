import { access } from '@busbar/contract'
import { useMemo } from 'react'
import { isOver } from '../../entities/access/visit-time.ts'
import { useLang } from '../../shared/i18n/index.ts'

/** Compares names as people of the page's language order. */
export function usePeopleCollator(): Intl.Collator {
  const lang = useLang()
  return useMemo(() => new Intl.Collator(lang === 'cn' ? 'zh-CN' : 'en', { numeric: true }), [lang])
}

/** Visitors with a valid time first, the soonest to end on top; then those without end; expired ones last. */
export function sortVisitors(
  visitors: readonly access.Visitor[],
  now: number,
  collator: Intl.Collator,
): readonly access.Visitor[] {
  const place = ({ visitTime }: access.Visitor) => {
    if (isOver(visitTime, now)) return 2
    return visitTime === access.visitTimes.forever ? 1 : 0
  }
  return visitors.toSorted(
    (a, b) =>
      place(a) - place(b) ||
      // Valid times are sorted by their end; for the others the end does not matter.
      (place(a) === 0 ? a.visitTime - b.visitTime : 0) ||
      collator.compare(a.name, b.name) ||
      a.userId - b.userId,
  )
}

const order: readonly access.Reach['by'][] = access.reachedBy

/**
 * By right, the strongest first; among visitors the soonest to end. Visitors whose time has ended since are
 * left out.
 */
export function sortReach(
  reach: readonly access.Reach[],
  now: number,
  collator: Intl.Collator,
): readonly access.Reach[] {
  const end = ({ until }: access.Reach) => (until === access.visitTimes.forever ? Infinity : until)
  return reach
    .filter(({ until }) => !isOver(until, now))
    .toSorted(
      (a, b) =>
        order.indexOf(a.by) - order.indexOf(b.by) ||
        (end(a) === end(b) ? 0 : end(a) - end(b)) ||
        collator.compare(a.name, b.name) ||
        a.userId - b.userId,
    )
}
