import type { visits } from '@busbar/contract'
import type { Text } from '../../../shared/i18n/index.ts'
import { getZone } from '../../../shared/i18n/zone.ts'
import { formatTable, isoLocal } from '../../../shared/ui/data/csv.ts'
import { endWords, lengthOf, rightWords, targetWords } from '../visit-words.ts'

/** Visits as a file for a spreadsheet: a row each, times exact, amounts without units. */
export function formatVisits(list: readonly visits.Visit[], text: Text, now: number): string {
  const t = text.visits.pane.csv.columns
  const header = [
    `${t.from} (${getZone()})`,
    ...[t.to, t.seconds, t.person, t.by, t.mode, t.target, t.down, t.up, t.ended],
  ]
  return formatTable([
    header,
    ...list.map((visit) => [
      { exact: isoLocal(visit.from) },
      visit.live ? null : { exact: isoLocal(visit.until) },
      Math.round(lengthOf(visit, now) / 1000),
      visit.user.name,
      rightWords(visit, text),
      text.visits.modes[visit.mode],
      [
        targetWords(visit, text) || text.visits.targets.names[visit.target],
        ...visit.ports.map(({ name }) => name),
      ]
        .filter(Boolean)
        .join(' '),
      visit.bytesOut,
      visit.bytesIn,
      endWords(visit, text),
    ]),
  ])
}
