import { useState } from 'react'
import { acknowledges } from '../../../entities/alarm/next-focus.ts'
import { useAlarmActs } from '../../../entities/alarm/use-alarm-acts.tsx'
import { LevelGlyph } from '../../../entities/machine/level-badge.tsx'
import type { HeldDetail } from '../../../entities/machine/machine.ts'
import { levelState } from '../../../entities/machine/machine-state.ts'
import { formatClock, formatExact, formatMinute, formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { Box, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { useNow } from '../../../shared/ui/use-now.ts'
import css from './open-alarms.module.css'

type Alarm = HeldDetail['openAlarms'][number]

/** Alarms shown at first, and with each press: a machine may have a thousand open. */
const shownFirst = 5
const shownMore = 50
/** Of the heading, to which the keyboard can skip. */
export const openAlarmsId = 'open-alarms'
const dayMs = 86_400_000

interface OpenAlarmsProps {
  machineId: number
  alarms: readonly Alarm[]
  total: number
  /** Shows the history at the time of the alarm; without it a card is only read. */
  onShow?: (alarm: Alarm) => void
}

/** The open alarms by need. If there are very many (`total`), the platform lists the worst. */
export function OpenAlarms({ machineId, alarms, total, onShow }: OpenAlarmsProps) {
  const t = useText().machines
  const { ask, dialog } = useAlarmActs()
  const [count, setCount] = useState(shownFirst)
  if (alarms.length === 0) return null
  const shown = alarms.slice(0, count)
  return (
    <Box as="section" line="bottom" pad="14 16" aria-labelledby={openAlarmsId}>
      <h3 id={openAlarmsId} tabIndex={-1}>
        {t.alarms.title}
        {total > shownFirst && (
          <Text tone="quiet" size={12} weight={400} numbers className={css.count}>
            {formatNumber(total)}
          </Text>
        )}
      </h3>
      <Stack as="ul" gap={6} className={css.list}>
        {shown.map((alarm) => (
          <AlarmLine
            key={alarm.alarmId}
            alarm={alarm}
            onShow={onShow}
            onConfirm={() => ask('confirm', [toActed(machineId, alarm)])}
          />
        ))}
      </Stack>
      {shown.length < alarms.length && (
        <Button kind="ghost" size="small" onClick={() => setCount(count + shownMore)}>
          {t.alarms.more(alarms.length - shown.length)}
        </Button>
      )}
      {shown.length === alarms.length && total > alarms.length && (
        <Text as="p" above={6} tone="quiet" size={12}>
          {t.alarms.worst(formatNumber(alarms.length), formatNumber(total))}
        </Text>
      )}
      {dialog}
    </Box>
  )
}

/** An open alarm of the overview, which only acknowledges. */
function toActed(machineId: number, { alarmId, text, key, ruleId, confirmedAt }: Alarm) {
  return {
    ...{ machineId, alarmId, text, key, ruleId, tagId: null, mayShelve: false },
    ...{ stage: 'activeUnacknowledged' as const, confirmed: confirmedAt !== null },
  }
}

interface AlarmLineProps {
  alarm: Alarm
  onShow: OpenAlarmsProps['onShow']
  onConfirm: () => void
}

function AlarmLine({ alarm, onShow, onConfirm }: AlarmLineProps) {
  const t = useText().machines
  const now = useNow(60_000)
  const isToday = now - alarm.raisedAt < dayMs
  return (
    <li className={classes(css.alarm, levelState(alarm.level) === 'alarm' && css.crit)} data-subject="">
      <LevelGlyph level={alarm.level} />
      <Stack as="span" shrinks className={css.text}>
        {onShow ? (
          <button
            type="button"
            className={css.show}
            data-tip={t.alarms.showHistory}
            onClick={() => onShow(alarm)}
          >
            {alarm.text || alarm.key}
          </button>
        ) : (
          <b>{alarm.text || alarm.key}</b>
        )}
        <span className={css.facts}>
          <span>{t.alarms.levels[alarm.level]}</span>
          {alarm.ruleId === null && <code className={classes(css.key, 'cut')}>{alarm.key}</code>}
          <time dateTime={new Date(alarm.raisedAt).toISOString()} data-tip={formatExact(alarm.raisedAt)}>
            {isToday ? formatClock(alarm.raisedAt) : formatMinute(alarm.raisedAt)}
          </time>
          {alarm.count > 1 && <span>{t.alarms.count(alarm.count)}</span>}
          {alarm.confirmedAt !== null && <span>{t.alarms.confirmed}</span>}
          {alarm.outOfService && <span>{t.alarms.outOfService}</span>}
          {alarm.shelvedUntil !== null && (
            <span data-tip={formatExact(alarm.shelvedUntil)}>
              {t.alarms.shelvedUntil(formatMinute(alarm.shelvedUntil))}
            </span>
          )}
        </span>
      </Stack>
      {alarm.confirmedAt === null && (
        <Button
          {...acknowledges}
          kind="ghost"
          size="small"
          className={css.confirm}
          aria-label={t.alarms.confirmOne(alarm.text || alarm.key)}
          onClick={onConfirm}
        >
          {t.alarms.confirm}
        </Button>
      )}
    </li>
  )
}
