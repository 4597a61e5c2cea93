import { machines } from '@busbar/contract'
import type { Machine } from '../../../entities/machine/machine.ts'
import { MachineWrites } from '../../../entities/visit/history/machine-writes.tsx'
import { VisitHistory } from '../../../entities/visit/history/visit-history.tsx'
import { LiveRows } from '../../../entities/visit/live/live-rows.tsx'
import css from '../../../entities/visit/pane-visits.module.css'
import { useText } from '../../../shared/i18n/index.ts'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'

/** Few machines have ports. */
const MachinePorts = lazyPart(() =>
  import('../../../entities/visit/ports/machine-ports.tsx').then((module) => module.MachinePorts),
)

/** Live visits, past visits and writes of a machine; keys see those of everyone, others their own. */
export function PaneVisits({ machine }: { machine: Machine }) {
  const t = useText().visits.pane
  const isKey = machine.level >= machines.limitAuthority.bkey
  return (
    <>
      <section className={css.section} aria-labelledby="visits-live">
        <h3 id="visits-live">{t.live}</h3>
        <LiveRows machine={machine} isKey={isKey} />
      </section>
      {machine.online && <MachinePorts machine={machine} />}
      <VisitHistory machineId={machine.id} machineName={machine.name} isKey={isKey} />
      {isKey && <MachineWrites machineId={machine.id} />}
    </>
  )
}
