import { LevelGlyph } from '../../../entities/machine/level-badge.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { alarmState } from '../../../entities/machine/machine-state.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import css from './alarm-count.module.css'

/** Whether a machine has alarms to be counted in a list: shelved ones are alarms as well. */
export const hasAlarms = ({ openAlarms, shelvedAlarms }: Machine): boolean => openAlarms + shelvedAlarms > 0

/** The number of open alarms, in the shape and colour of the worst, and that of shelved ones. */
export function AlarmCount({ machine }: { machine: Machine }) {
  const t = useText().machines
  const { openAlarms, shelvedAlarms } = machine
  return (
    <Row as="span" gap="0 6" wraps>
      {openAlarms > 0 && <OpenCount machine={machine} />}
      {shelvedAlarms > 0 && (
        <Text tone="quiet" size="11/14" numbers>
          {openAlarms > 0 && <span className="sr-only">· </span>}
          {t.shelvedCount(shelvedAlarms)}
        </Text>
      )}
    </Row>
  )
}

function OpenCount({ machine }: { machine: Machine }) {
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
