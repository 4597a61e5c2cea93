import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { LiveRows } from '../../entities/visit/live/live-rows.tsx'
import { machineVisitsQuery } from '../../entities/visit/visit-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/people/panel.module.css'
import { useAdministration } from './administration.ts'

/** The visitors that are inside now. */
export function LiveVisits() {
  const { machineId, machine } = useAdministration()
  const t = useText().visits.pane
  const titleId = useId()
  const visits = useQuery(machineVisitsQuery(machineId)).data?.visits ?? []
  return (
    <section className={css.panel} aria-labelledby={titleId}>
      <div className={css.inside}>
        <h2 id={titleId} className={css.title}>
          {t.live}
          {visits.length > 0 && <span className={css.count}>{visits.length}</span>}
        </h2>
        <LiveRows machine={{ id: machineId, name: machine.name }} isKey />
      </div>
    </section>
  )
}
