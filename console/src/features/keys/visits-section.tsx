import { MachineWrites } from '../../entities/visit/history/machine-writes.tsx'
import { VisitHistory } from '../../entities/visit/history/visit-history.tsx'
import { useText } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/people/panel.module.css'
import { useAdministration } from './administration.ts'

/** Past visits and writes, as far back as they are kept. */
export function VisitsSection() {
  const { machineId, machine } = useAdministration()
  const t = useText().access
  return (
    <div className={css.panel}>
      <h2 className="sr-only">{t.tabs.visits}</h2>
      <VisitHistory machineId={machineId} machineName={machine.name} isKey />
      <MachineWrites machineId={machineId} />
    </div>
  )
}
