import { machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import {
  alarmsKey,
  alarmsPerPage,
  type MachineAlarm,
  machineAlarmsQuery,
} from '../../../entities/machine/machine-queries.ts'
import { levelState } from '../../../entities/machine/machine-state.ts'
import { call } from '../../../shared/api/client.ts'
import { formatMinute, useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { Glyph } from '../../../shared/ui/data/state-glyph.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Pager } from '../../../shared/ui/pager.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { useShowAlarm } from '../history/use-show-alarm.ts'
import cards from './open-alarms.module.css'
import css from './pane-alarms.module.css'

/** A machine's alarms, the newest first: which are open, and which somebody has seen. */
export function PaneAlarms({ machine }: { machine: Machine }) {
  const text = useText()
  const t = text.machines.alarms
  const lang = useLang()
  const [page, setPage] = useState(1)
  const { data, isError, isFetching, refetch } = useQuery(machineAlarmsQuery(machine.id, page, lang))
  if (!data)
    return isError ? (
      <EmptyState icon="warning" title={t.failed} hint={text.machines.failed.hint}>
        <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
          {text.machines.failed.retry}
        </Button>
      </EmptyState>
    ) : (
      <div className={pane.section} aria-busy="true">
        <Skeleton height={52} />
        <Skeleton height={52} className={pane.skeletonBlock} />
      </div>
    )
  if (data.total === 0) return <EmptyState icon="alarm" title={t.none} hint={t.noneHint} />
  return (
    <section className={pane.section} aria-label={t.tab}>
      <ul className={cards.list}>
        {data.list.map((alarm) => (
          <AlarmCard
            key={alarm.id}
            machineId={machine.id}
            alarm={alarm}
            hasHistory={machine.overview !== null}
          />
        ))}
      </ul>
      <Pager page={page} pages={Math.ceil(data.total / alarmsPerPage)} onPage={setPage} />
    </section>
  )
}

interface AlarmCardProps {
  machineId: number
  alarm: MachineAlarm
  hasHistory: boolean
}

function AlarmCard({ machineId, alarm, hasHistory }: AlarmCardProps) {
  const t = useText().machines.alarms
  const showAlarm = useShowAlarm()
  const state = levelState(alarm.level)
  const isOpen = alarm.clearedAt === null
  const confirm = useAct({
    call: () => call(machines.confirmAlarms, { machineID: machineId, alarmIds: [alarm.id] }),
    done: t.done,
    touched: [alarmsKey(machineId), ['machines', machineId, 'detail']],
  })
  return (
    <li className={classes(cards.alarm, isOpen && state === 'alarm' && cards.crit)}>
      {isOpen && (state === 'alarm' || state === 'warning') ? (
        <Glyph state={state} size={10} />
      ) : (
        <span className={cards.info} />
      )}
      <span className={classes(cards.text, css.text)}>
        <b className={isOpen ? undefined : css.cleared}>{alarm.text}</b>
        <span className={cards.facts}>
          <span>{t.levels[alarm.level]}</span>
          <span>{t.raised(formatMinute(alarm.raisedAt))}</span>
          {alarm.clearedAt !== null && <span>{t.cleared(formatMinute(alarm.clearedAt))}</span>}
          {alarm.confirmedAt !== null && <span>{t.confirmed}</span>}
        </span>
      </span>
      <span className={css.actions}>
        {hasHistory && (
          <Button
            kind="ghost"
            size="small"
            onClick={() => showAlarm({ alarmId: alarm.id, raisedAt: alarm.raisedAt })}
          >
            {t.history}
          </Button>
        )}
        {alarm.confirmedAt === null && (
          <Button size="small" busy={confirm.isPending} onClick={() => confirm.mutate()}>
            {t.confirm}
          </Button>
        )}
      </span>
    </li>
  )
}
