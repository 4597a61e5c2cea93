import { access } from '@busbar/contract'
import { isOver } from '../../entities/access/visit-time.ts'

/** Who may enter first, the soonest to end on top; then those for ever; those whose time is over last. */
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
      // Among the running the end decides; the others have none that matters.
      (place(a) === 0 ? a.visitTime - b.visitTime : 0) ||
      collator.compare(a.name, b.name) ||
      a.userId - b.userId,
  )
}

const order: readonly access.Reach['by'][] = access.reachedBy

/** By right, the strongest first; among visitors the soonest to end. Who ran out meanwhile is left out. */
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
