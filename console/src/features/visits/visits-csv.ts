import type { visits } from '@busbar/contract'
import type { Text } from '../../i18n/index.ts'
import { type Cell, formatCsv, isoLocal, zoneName } from '../../ui/data/csv.ts'
import { endWords, lengthOf, rightWords, targetWords } from './visit-words.ts'

const textCell = (text: string): Cell => ({ text, isText: true })
const exactCell = (value: number | string): Cell => ({ text: String(value), isText: false })

/** Visits as a file for a spreadsheet: a row each, times exact, amounts without units. */
export function formatVisits(list: readonly visits.Visit[], text: Text, now: number): string {
  const t = text.visits.pane.csv.columns
  const header = [
    `${t.from} (${zoneName()})`,
    ...[t.to, t.seconds, t.person, t.by, t.mode, t.target, t.down, t.up, t.ended],
  ]
  return formatCsv([
    header.map(textCell),
    ...list.map((visit) => [
      exactCell(isoLocal(visit.from)),
      visit.live ? null : exactCell(isoLocal(visit.until)),
      exactCell(Math.round(lengthOf(visit, now) / 1000)),
      textCell(visit.user.name),
      textCell(rightWords(visit, text)),
      textCell(text.visits.modes[visit.mode]),
      textCell(targetWords(visit, text) || (text.visits.targets.names[visit.target] ?? '')),
      exactCell(visit.bytesOut),
      exactCell(visit.bytesIn),
      textCell(endWords(visit, text)),
    ]),
  ])
}
