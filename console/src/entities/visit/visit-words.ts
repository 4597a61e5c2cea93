import type { visits } from '@busbar/contract'
import type { Text } from '../../shared/i18n/index.ts'

type Visit = visits.Visit

/** The length of a visit, up to now if it is open; milliseconds. */
export function lengthOf({ from, until, live }: Pick<Visit, 'from' | 'until' | 'live'>, now: number): number {
  return Math.max(0, (live ? now : until) - from)
}

/** How a visit ended, and the note about it; empty while it is open. */
export function endWords({ reason, endedBy, note }: Visit, { visits: t, visitReport }: Text): string {
  if (!reason) return ''
  const how = reason === 'ended' && endedBy ? t.pane.endedBy(endedBy) : t.reasons[reason]
  return note ? `${how} ${visitReport.noted(note)}` : how
}

/** The right by which a visit was entered, and the project whose portal shows it. */
export function rightWords({ by, project }: Visit, { access, visitReport }: Text): string {
  if (!by) return visitReport.unknownRight
  return project ? `${access.by[by]} · ${project}` : access.by[by]
}

/** The page of the machine that the visit used; empty for the agent's own. */
export function targetWords({ kind, target }: Pick<Visit, 'kind' | 'target'>, { visits: t }: Text): string {
  if (kind === 'tcp') return t.pane.tcp
  return t.targets.names[target] ? '' : target
}
