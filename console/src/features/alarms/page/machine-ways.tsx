import { Link } from '@tanstack/react-router'
import type { AlarmDetail } from '../../../entities/alarm/alarm-queries.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { usePageSpace } from '../../../shared/session/page-space.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import link from './machine-ways.module.css'

const halfMs = 1_800_000

/** The ways to the machine of an alarm, and to its history at that time. */
export function MachineWays({ alarm: { alarmId, machineId, raisedAt } }: { alarm: AlarmDetail }) {
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
    <div className={`${pane.section} ${link.ways}`}>
      <Link {...own(machine)} className={link.way}>
        <Icon name="devices" size={14} />
        {t.openMachine}
      </Link>
      <Link {...own(history)} className={link.way}>
        <Icon name="history" size={14} />
        {t.openHistory}
      </Link>
    </div>
  )
}
