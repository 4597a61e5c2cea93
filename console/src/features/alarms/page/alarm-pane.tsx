import { ApiError } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { nameOfAlarm } from '../../../entities/alarm/alarm.ts'
import { allowsAct } from '../../../entities/alarm/alarm-acts.ts'
import { type AlarmDetail, alarmQuery } from '../../../entities/alarm/alarm-queries.ts'
import { StageTag } from '../../../entities/alarm/stage-tag.tsx'
import { useAlarmActs, useEndShelve } from '../../../entities/alarm/use-alarm-acts.tsx'
import { LevelBadge } from '../../../entities/machine/level-badge.tsx'
import { formatMinute, formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Box, Row } from '../../../shared/ui/layout/layout.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { AlarmFacts } from './alarm-facts.tsx'
import { AlarmJournal } from './alarm-journal.tsx'
import css from './alarm-pane.module.css'
import { AlarmTrend } from './alarm-trend.tsx'
import { AroundAlarm } from './around-alarm.tsx'
import { MachineLinks } from './machine-links.tsx'
import { ToldOfAlarm } from './told-of-alarm.tsx'

interface AlarmPaneProps {
  id: number
  onClose: () => void
}

/** An alarm: its text, its state, its actions, and the events around it. */
export function AlarmPane({ id, onClose }: AlarmPaneProps) {
  const text = useText()
  const t = text.alarms.page
  const lang = useLang()
  const { data: alarm, isError, error, isFetching, refetch } = useQuery(alarmQuery(id, lang))
  return (
    <>
      <div className={pane.head}>
        <Box grows className={pane.titles}>
          <h2 className={pane.title}>
            {alarm ? nameOfAlarm(alarm) : isError ? t.frame : <Skeleton width={200} height={16} />}
          </h2>
          {alarm && (
            <Row as="p" above={4} gap="4 10" wraps tone="soft" size={12}>
              <LevelBadge level={alarm.level} isOver={alarm.state === 'cleared'} />
              <StageTag stage={alarm.stage} />
              {alarm.count > 1 && <span>{text.alarms.times(formatNumber(alarm.count))}</span>}
            </Row>
          )}
        </Box>
        <Row align="stretch" fixed>
          <IconButton icon="close" label={t.close} onClick={onClose} aria-keyshortcuts="Escape" />
        </Row>
      </div>
      {alarm && <Acts alarm={alarm} />}
      {/*
       * biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element has to be reachable by the
       * keyboard
       */}
      <section className={pane.content} tabIndex={0} aria-label={alarm ? nameOfAlarm(alarm) : t.frame}>
        {alarm ? (
          <Content alarm={alarm} />
        ) : isError ? (
          isGone(error) ? (
            <EmptyState icon="alarm" title={t.gone} hint={t.goneHint}>
              <Button onClick={onClose}>{t.back}</Button>
            </EmptyState>
          ) : (
            <EmptyState icon="warning" title={t.failed} hint={t.failedHint}>
              <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
                {text.app.retry}
              </Button>
            </EmptyState>
          )
        ) : (
          <div className={pane.section} aria-busy="true">
            <Skeleton height={96} />
            <Skeleton height={160} className={pane.skeletonBlock} />
          </div>
        )}
      </section>
    </>
  )
}

/** The alarm does not exist any more, or is not visible to the caller. */
const isGone = (error: Error) => error instanceof ApiError && (error.is('404') || error.isForbidden)

function Acts({ alarm }: { alarm: AlarmDetail }) {
  const t = useText().alarms.acts
  const { ask, dialog } = useAlarmActs()
  const end = useEndShelve(alarm.stage === 'outOfService' ? 'inServiceDone' : 'endDone')
  const { shelveId, stage, mayShelve } = alarm
  const mayEnd = mayShelve && shelveId !== null && (stage === 'shelved' || stage === 'outOfService')
  if (alarm.confirmed && !mayShelve) return dialog
  return (
    <Row gap={8} align="stretch" wraps fixed className={pane.actions}>
      {allowsAct('confirm', alarm) && (
        <Button kind="primary" icon="check" onClick={() => ask('confirm', [alarm])}>
          {t.confirm}
        </Button>
      )}
      {allowsAct('shelve', alarm) && (
        <Button icon="clock" onClick={() => ask('shelve', [alarm])}>
          {t.shelve}
        </Button>
      )}
      {allowsAct('outOfService', alarm) && (
        <Button icon="ban" onClick={() => ask('outOfService', [alarm])}>
          {t.outOfService}
        </Button>
      )}
      {mayEnd && (
        <Button busy={end.isPending} onClick={() => end.mutate(shelveId)}>
          {stage === 'outOfService' ? t.inService : t.end}
        </Button>
      )}
      {dialog}
    </Row>
  )
}

function Content({ alarm }: { alarm: AlarmDetail }) {
  const t = useText().alarms.page
  return (
    <>
      <Quiet alarm={alarm} />
      <section className={pane.section} aria-label={t.instruction}>
        <h3>{t.instruction}</h3>
        <p className={alarm.instruction ? css.instruction : css.none}>
          {alarm.instruction || t.noInstruction}
        </p>
      </section>
      <AlarmFacts alarm={alarm} />
      <MachineLinks alarm={alarm} />
      <ToldOfAlarm alarm={alarm} />
      {alarm.tagId !== null && <AlarmTrend alarm={alarm} tagId={alarm.tagId} />}
      {alarm.maySeeKeys && <AroundAlarm alarm={alarm} />}
      <AlarmJournal alarm={alarm} />
    </>
  )
}

/** The end of a suppression, and who ordered it and why. */
function Quiet({ alarm }: { alarm: AlarmDetail }) {
  const t = useText().alarms.page
  const { stage, shelvedUntil, shelvedBy, shelveReason } = alarm
  if (stage !== 'shelved' && stage !== 'outOfService') return null
  return (
    <p className={pane.offline}>
      <Icon name={stage === 'shelved' ? 'clock' : 'ban'} size={14} />
      <span>
        {stage === 'shelved' && shelvedUntil !== null
          ? t.shelvedUntil(formatMinute(shelvedUntil))
          : t.isOutOfService}
        <br />
        {t.shelvedWhy(shelvedBy ?? t.someone, shelveReason)}
      </span>
    </p>
  )
}
