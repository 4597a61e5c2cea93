import { type PortCounts, portHints } from '@busbar/link'
import type { Taker } from './api.ts'
import { countColumns, fit, formatTable } from './columns.ts'
import { describeControl, formatTime } from './describe-event.ts'
import { type EndReason, type Lang, type Mode, printable } from './model.ts'
import type { Texts } from './texts/index.ts'

/** The facts of a target that the view shows. */
export interface ShownTarget {
  readonly name: string
  readonly kind: keyof typeof portHints
  readonly localAddress: string
  readonly streams: number
  readonly bytes: { readonly in: number; readonly out: number }
  readonly counts: PortCounts | undefined
  readonly roundTripMs: number | undefined
  readonly end: { readonly reason: EndReason; readonly detail: string } | undefined
}

/** One digit each. */
export const takersShown = 9

export interface View {
  readonly machine: string
  readonly mode: Mode
  readonly until: number
  readonly now: number
  /** Undefined: nobody told. */
  readonly control: { readonly isMine: boolean; readonly who: string } | undefined
  readonly targets: readonly ShownTarget[]
  /** The person chooses the visit that gets control. */
  readonly takers: readonly Taker[] | undefined
  /** The last events, the newest last. */
  readonly told: readonly string[]
}

/** The whole screen, one text a row. */
export function renderView(
  view: View,
  at: { columns: number; rows: number; t: Texts; lang: Lang },
): string[] {
  const { t, lang } = at
  const minutes = Math.max(0, Math.floor((view.until - view.now) / 60_000))
  const head = [
    `${t.viewTitle} · ${view.machine}`,
    t.modes[view.mode],
    ...(view.control ? [describeControl(view.control, t)] : []),
    `${t.viewTimeLeft(minutes)} (${formatTime(view.until, lang)})`,
  ].join(' · ')
  const rows = view.targets.map((target) => [
    target.name,
    target.localAddress || '–',
    String(target.streams),
    formatBytes(target.bytes.in),
    formatBytes(target.bytes.out),
    target.counts ? `${target.counts.reads}/${target.counts.writes}/${target.counts.refused}` : '–',
    target.roundTripMs === undefined ? '–' : `${Math.round(target.roundTripMs)} ms`,
    target.end ? [t.endReasons[target.end.reason], target.end.detail].filter(Boolean).join(': ') : t.viewOpen,
  ])
  const takers = view.takers
    ?.slice(0, takersShown)
    .map(({ name, asks }, at) => `${at + 1}  ${name}${asks ? `  ${t.takerAsks}` : ''}`)
  const kinds = [...new Set(view.targets.map(({ kind }) => kind))]
  const hints = kinds.flatMap((kind) => wrap(`${kind}: ${portHints[kind][lang]}`, at.columns))
  const middle = takers ? [t.handTo, ...takers] : [t.viewHints, ...hints]
  const above = [head, '', ...formatTable([t.viewHead, ...rows]), '', ...middle, '']
  const room = Math.max(0, at.rows - above.length - 1)
  const told = room > 0 ? view.told.slice(-room) : []
  const blanks = Array.from({ length: room - told.length }, () => '')
  return [...above, ...told, ...blanks, takers ? t.handKeys : t.viewKeys]
    .slice(0, at.rows)
    .map((line) => fit(printable(line), at.columns).trimEnd())
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** A text in rows of so many columns, cut at blanks where it has some. */
function wrap(text: string, columns: number): string[] {
  const rows: string[] = []
  let row = ''
  for (const word of text.split(/(?<= )|(?<=[，。；：])/u)) {
    if (row && countColumns(row + word.trimEnd()) > columns) {
      rows.push(row.trimEnd())
      row = ''
    }
    row += word
  }
  return [...rows, row.trimEnd()]
}
