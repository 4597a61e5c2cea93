import type { visits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatExact, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Row, Stack } from '../../../shared/ui/layout/layout.tsx'
import css from '../pane-visits.module.css'
import { useValueWords, ValueChange } from '../value-change.tsx'
import { machineWritesQuery } from '../visit-queries.ts'
import { PagedSection } from './paged-section.tsx'

/**
 * The writes to a machine, newest first: who, what, from which to which value, and whether the machine
 * accepted it.
 */
export function MachineWrites({ machineId }: { machineId: number }) {
  const t = useText().visits.pane
  const [page, setPage] = useState(1)
  return (
    <PagedSection
      title={t.writes}
      none={t.writesNone}
      answer={useQuery(machineWritesQuery(machineId, page))}
      page={page}
      onPage={setPage}
      row={(write) => <WriteRow key={write.id} write={write} />}
    />
  )
}

function WriteRow({ write }: { write: visits.WriteLogEntry }) {
  const t = useText().visits.pane
  const say = useValueWords()
  const isWrong = write.state === 'failed' || write.state === 'timedOut'
  return (
    <li className={css.row}>
      <Stack gap={2} grows className={css.words}>
        <Row as="p" gap={8} shrinks leading={18} className={css.first}>
          <b className="cut" title={write.tag}>
            {write.tag}
          </b>
          <ValueChange isWhole from={write.from} to={write.to} />
          <span className={classes(css.end, isWrong && css.wrong)}>
            {isWrong && <Icon name="warning" size={12} />}
            {t.states[write.state]}
          </span>
        </Row>
        <p className={css.facts}>
          <span>{formatExact(write.at)}</span>
          <span className="cut">{write.user || t.atMachine}</span>
          {isWrong && write.kept !== null && <span>{t.kept(say(write.kept))}</span>}
          {write.reason && (
            <span className="cut" title={write.reason}>
              {write.reason}
            </span>
          )}
        </p>
      </Stack>
    </li>
  )
}
