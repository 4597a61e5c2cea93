import { Link } from '@tanstack/react-router'
import type { AlarmDetail } from '../../../entities/alarm/alarm-queries.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { usePageSpace } from '../../../shared/session/page-space.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import css from './machine-links.module.css'

const halfMs = 1_800_000

/** Links to the machine of an alarm, and to its history at that time. */
export function MachineLinks({ alarm: { alarmId, machineId, raisedAt } }: { alarm: AlarmDetail }) {
  const t = useText().alarms.page
  const eid = usePageSpace()?.asked.eid
  const machine = { machine: machineId }
  const history = {
    ...machine,
    ...{ tab: 'history', from: raisedAt - halfMs, until: raisedAt + halfMs, mark: `a${alarmId}` },
  }
  const own = (search: object) =>
    eid === undefined
      ? ({ to: '/index/', search } as const)
      : ({ to: '/device/', search: { type: 1 as const, eid, ...search } } as const)
  return (
    <Row gap="8 16" align="stretch" wraps className={pane.section}>
      <Link {...own(machine)} className={css.link}>
        <Icon name="devices" size={14} />
        {t.openMachine}
      </Link>
      <Link {...own(history)} className={css.link}>
        <Icon name="history" size={14} />
        {t.openHistory}
      </Link>
    </Row>
  )
}
