import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { LiveRows } from '../../entities/visit/live/live-rows.tsx'
import { machineVisitsQuery } from '../../entities/visit/visit-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
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
        <Row id={titleId} as="h2" gap={8} align="baseline" size="16/22">
          {t.live}
          {visits.length > 0 && (
            <Text tone="quiet" size={12} weight={400} numbers>
              {visits.length}
            </Text>
          )}
        </Row>
        <LiveRows machine={{ id: machineId, name: machine.name }} isKey />
      </div>
    </section>
  )
}
