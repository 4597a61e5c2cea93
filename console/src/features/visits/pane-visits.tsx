import { machines } from '@busbar/contract'
import { useText } from '../../shared/i18n/index.ts'
import { LiveRows } from './live-rows.tsx'
import { MachineWrites } from './machine-writes.tsx'
import css from './pane-visits.module.css'
import { VisitHistory } from './visit-history.tsx'

/** Who is inside a machine, who was, and what was written to it; keys see everybody, others themselves. */
export function PaneVisits({ machine }: { machine: machines.MachineItem }) {
  const t = useText().visits.pane
  const isKey = machine.limit_authority >= machines.limitAuthority.bkey
  return (
    <>
      <section className={css.section} aria-labelledby="visits-live">
        <h3 id="visits-live">{t.live}</h3>
        <LiveRows machine={machine} isKey={isKey} />
      </section>
      <VisitHistory machineId={machine.machine_id} machineName={machine.machine_name} isKey={isKey} />
      {isKey && <MachineWrites machineId={machine.machine_id} />}
    </>
  )
}
