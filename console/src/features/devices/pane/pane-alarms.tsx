import type { notifications } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Alarm, nameOfAlarm } from '../../../entities/alarm/alarm.ts'
import { allowsAct } from '../../../entities/alarm/alarm-acts.ts'
import { alarmListQuery, toldCountsQuery } from '../../../entities/alarm/alarm-queries.ts'
import { acknowledges } from '../../../entities/alarm/next-focus.ts'
import { Repeats } from '../../../entities/alarm/repeats.tsx'
import { StageTag } from '../../../entities/alarm/stage-tag.tsx'
import { useAlarmActs } from '../../../entities/alarm/use-alarm-acts.tsx'
import { useAlarmSync } from '../../../entities/alarm/use-alarm-sync.ts'
import { LevelBadge } from '../../../entities/machine/level-badge.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { formatMinute, formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Pager } from '../../../shared/ui/pager.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { useShowAlarm } from '../history/use-show-alarm.ts'
import { useDeviceSpace } from '../space.ts'
import cards from './open-alarms.module.css'
import css from './pane-alarms.module.css'

const alarmsPerPage = 20

/** A machine's alarms by need, repeats of one as one card: their states, and what can be done about each. */
export function PaneAlarms({ machine }: { machine: Machine }) {
  useAlarmSync()
  const text = useText()
  const t = text.machines.alarms
  const lang = useLang()
  const [page, setPage] = useState(1)
  const { ask, dialog } = useAlarmActs()
  const { data, isError, isFetching, refetch } = useQuery(
    alarmListQuery({ machineId: machine.id }, page, lang, alarmsPerPage),
  )
  const { data: counts } = useQuery(toldCountsQuery(data?.list.map(({ alarmId }) => alarmId) ?? []))
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
      <Stack as="ul" gap={6} className={cards.list}>
        {data.list.map((alarm) => (
          <AlarmCard
            key={alarm.alarmId}
            alarm={alarm}
            told={counts?.find(({ alarmId }) => alarmId === alarm.alarmId)}
            hasHistory={machine.overview !== null}
            onAsk={(act) => ask(act, [alarm])}
          />
        ))}
      </Stack>
      <Pager page={page} pages={Math.ceil(data.total / alarmsPerPage)} onPage={setPage} />
      {dialog}
    </section>
  )
}

interface AlarmCardProps {
  alarm: Alarm
  told: notifications.ToldCount | undefined
  hasHistory: boolean
  onAsk: (act: 'confirm' | 'shelve') => void
}

function AlarmCard({ alarm, told, hasHistory, onAsk }: AlarmCardProps) {
  const text = useText()
  const t = text.machines.alarms
  const { acts } = text.alarms
  const showAlarm = useShowAlarm()
  const space = useDeviceSpace()
  const isOpen = alarm.state === 'active'
  const isWorst = isOpen && (alarm.level === 'critical' || alarm.level === 'major')
  const name = nameOfAlarm(alarm)
  return (
    <li className={classes(cards.alarm, css.card, isWorst && cards.crit)} data-subject="">
      <Stack as="span" shrinks className={classes(cards.text, css.text)}>
        <Link
          to="/alarmCenter"
          search={{ eid: space.kind === 'personal' ? 0 : space.eid, alarm: alarm.alarmId }}
          className={classes(css.name, !isOpen && css.cleared)}
        >
          {name}
        </Link>
        <Row as="span" gap="4 10" wraps size={12} className={css.marks}>
          <LevelBadge level={alarm.level} isOver={!isOpen} />
          <StageTag stage={alarm.stage} />
        </Row>
        <span className={cards.facts}>
          <span>{t.raised(formatMinute(alarm.raisedAt))}</span>
          {alarm.clearedAt !== null && <span>{t.cleared(formatMinute(alarm.clearedAt))}</span>}
          {alarm.count > 1 && <span>{t.count(alarm.count)}</span>}
          {alarm.confirmedBy !== null && <span>{alarm.confirmedBy}</span>}
        </span>
        {alarm.repeats && (
          <span className={cards.facts}>
            <Repeats of={alarm} isWhole />
          </span>
        )}
        {alarm.note && (
          <Text tone="soft" size="12/16" breaks>
            {alarm.note}
          </Text>
        )}
        {told && <ToldLine told={told} />}
      </Stack>
      <Row as="span" gap={4} align="stretch" justify="end" wraps fixed last>
        {hasHistory && (
          <Button kind="ghost" size="small" onClick={() => showAlarm(alarm)}>
            {t.history}
          </Button>
        )}
        {isOpen && allowsAct('shelve', alarm) && (
          <Button kind="ghost" size="small" onClick={() => onAsk('shelve')}>
            {acts.shelve}
            <span className="sr-only">{name}</span>
          </Button>
        )}
        {allowsAct('confirm', alarm) && (
          <Button {...acknowledges} size="small" onClick={() => onAsk('confirm')}>
            {acts.confirm}
            <span className="sr-only">{name}</span>
          </Button>
        )}
      </Row>
    </li>
  )
}

/** The number of people notified, and when the next escalation step is due. */
function ToldLine({ told: { told, failed, waiting, nextStep, nextAt } }: { told: notifications.ToldCount }) {
  const t = useText().alarms.told
  return (
    <span className={cards.facts}>
      <span>{t.counts(formatNumber(told))}</span>
      {failed > 0 && <span>{t.countFailed(formatNumber(failed))}</span>}
      {waiting > 0 && <span>{t.countWaiting(formatNumber(waiting))}</span>}
      {nextStep !== null && nextAt !== null && <span>{t.next(String(nextStep), formatMinute(nextAt))}</span>}
    </span>
  )
}
