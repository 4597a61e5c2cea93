import type { Machine } from '../../../entities/machine/machine.ts'
import { windowState } from '../../../entities/machine/window-state.ts'
import { formatSpan } from '../../../entities/visit/visit-time.ts'
import { formatMinute, type Text as Texts, useText } from '../../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../../shared/i18n/time-span.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { useNow } from '../../../shared/ui/use-now.ts'
import css from './window-left.module.css'

/** From here on only days are shown. */
const daysFromMs = 48 * 3_600_000
const dayMs = 24 * 3_600_000

function lengthOf(spanMs: number, t: Texts['enterprises']['devices']): string {
  return spanMs < daysFromMs ? formatSpan(spanMs) : t.days(Math.floor(spanMs / dayMs))
}

interface WindowLeftProps {
  machine: Machine
  /** On a card: its state and time in one line. */
  isShort?: boolean
}

/** The state of a machine's maintenance window, and the time until it closes or opens. */
export function WindowLeft({ machine, isShort = false }: WindowLeftProps) {
  const { devices: t, maintenance: words } = useText().enterprises
  const now = useNow(15_000)
  const window = machine.enterprise?.window
  if (!window) return <Text tone="quiet">—</Text>
  const { start, stop } = window
  const state = windowState(window, now)
  const left = {
    open: () => (stop === null ? words.noEnd : t.windowLeft(lengthOf(stop - now, t))),
    later: () => t.windowIn(lengthOf(start - now, t)),
    suspended: () => t.windowStates.suspended,
    over: () => t.windowStates.over,
  }[state]()
  const isFrom = state === 'later' || stop === null
  const edge = isFrom ? t.windowFrom(formatMinute(start)) : t.windowUntil(formatMinute(stop))
  const span = stop === null ? words.from(formatMinute(start)) : formatTimeSpan({ from: start, to: stop })
  return (
    <Stack as="span" shrinks title={span}>
      <span className={classes(css.left, state === 'open' && css.open, 'numbers cut')}>{left}</span>
      {!isShort && <span className={classes(css.span, 'numbers cut')}>{edge}</span>}
    </Stack>
  )
}
