import { LevelGlyph } from '../../../entities/machine/level-badge.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { alarmState } from '../../../entities/machine/machine-state.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import css from './alarm-count.module.css'

/** The number of open alarms, in the shape and colour of the worst. */
export function AlarmCount({ machine }: { machine: Machine }) {
  const t = useText().machines
  const state = alarmState(machine)
  const label = t.alarmCount(machine.openAlarms, t.alarms.levels[machine.worstAlarm ?? 'info'])
  const isColoured = state === 'alarm' || state === 'warning'
  return (
    <span
      role="img"
      aria-label={label}
      className={classes(css.count, isColoured && css[state])}
      data-tip={label}
    >
      {isColoured && machine.worstAlarm && <LevelGlyph level={machine.worstAlarm} />}
      {machine.openAlarms}
    </span>
  )
}
