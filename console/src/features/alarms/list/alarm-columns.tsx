import { machines, type telemetry } from '@busbar/contract'
import { type Alarm, alarmStates, nameOfAlarm } from '../../../entities/alarm/alarm.ts'
import { acknowledges } from '../../../entities/alarm/next-focus.ts'
import { Repeats } from '../../../entities/alarm/repeats.tsx'
import { StageTag } from '../../../entities/alarm/stage-tag.tsx'
import { LevelBadge } from '../../../entities/machine/level-badge.tsx'
import { formatExact, formatNumber } from '../../../shared/i18n/index.ts'
import type { Text } from '../../../shared/i18n/text.ts'
import { formatLasts } from '../../../shared/i18n/time-span.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { timeCell } from '../../../shared/ui/data/csv.ts'
import { formatTagValue } from '../../../shared/ui/data/tag-value.ts'
import { ExactTime, Lines, RowActions } from '../../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../../shared/ui/table/column.ts'
import css from './alarm-list.module.css'

interface Words {
  readonly t: Text['alarms']
  readonly levels: Text['machines']['alarms']['levels']
  readonly bool: Text['machines']['bool']
  readonly actions: string
  readonly onConfirm: (alarm: Alarm) => void
}

/** The columns of the list of alarms. */
export function alarmColumns({ t, levels, bool, actions, onConfirm }: Words): readonly TableColumn<Alarm>[] {
  const { columns } = t.list
  const say = (value: Alarm['value'], unit: string) => {
    if (value === null) return ''
    const said = formatTagValue(value as telemetry.TagValue, { unit, scale: null }, bool)
    return said.unit ? `${said.text} ${said.unit}` : said.text
  }
  return [
    {
      id: 'level',
      title: columns.level,
      sort: 'platform',
      ...{ width: 116, rank: 1, pinned: 'start', card: 'half' },
      filter: {
        kind: 'choice',
        choices: Object.fromEntries(machines.alarmLevels.map((level) => [level, levels[level]])),
      },
      value: ({ level }) => machines.alarmLevels.indexOf(level),
      csv: ({ level }) => levels[level],
      cell: ({ level, state }) => <LevelBadge level={level} isOver={state === 'cleared'} />,
    },
    {
      id: 'machine',
      kind: 'name',
      title: columns.machine,
      sort: 'platform',
      ...{ width: 180, grow: 0.6, rank: 4, card: 'half' },
      value: ({ machineName }) => machineName,
    },
    {
      id: 'text',
      kind: 'text',
      title: columns.text,
      ...{ width: 200, grow: 3, rank: 0, card: 'name' },
      value: nameOfAlarm,
      cell: (alarm) => (
        <Lines
          main={
            <span className={alarm.state === 'cleared' ? css.over : undefined} title={nameOfAlarm(alarm)}>
              {nameOfAlarm(alarm)}
            </span>
          }
          minor={
            <>
              <span className={css.device}>{alarm.machineName}</span>
              <Repeats of={alarm} />
              {alarm.count > 1 && <span>{t.times(formatNumber(alarm.count))}</span>}
            </>
          }
        />
      ),
    },
    {
      id: 'stage',
      title: columns.stage,
      sort: 'platform',
      ...{ width: 168, rank: 2, card: 'half' },
      filter: {
        kind: 'choice',
        isSingle: true,
        choices: Object.fromEntries(alarmStates.map((state) => [state, t.list.states[state]])),
      },
      value: ({ stage }) => t.stages[stage],
      cell: ({ stage }) => <StageTag stage={stage} />,
    },
    {
      id: 'raisedAt',
      kind: 'time',
      title: columns.raisedAt,
      sort: 'platform',
      ...{ width: 160, rank: 3, card: 'half', filter: { kind: 'dateRange' } },
      value: ({ raisedAt }) => raisedAt,
      csv: ({ raisedAt }) => timeCell(raisedAt),
      cell: ({ raisedAt }) => <ExactTime at={raisedAt} />,
    },
    {
      id: 'value',
      title: columns.value,
      ...{ width: 100, rank: 6 },
      sort: false,
      value: ({ value, unit }) => say(value, unit),
    },
    {
      id: 'lasted',
      title: columns.lasted,
      ...{ width: 110, rank: 7, card: 'none' },
      value: ({ raisedAt, clearedAt }) => (clearedAt === null ? null : clearedAt - raisedAt),
      cell: ({ raisedAt, clearedAt }) =>
        clearedAt === null ? null : (
          <span title={formatExact(clearedAt)}>{formatLasts(clearedAt - raisedAt)}</span>
        ),
    },
    {
      id: 'confirmedBy',
      title: columns.confirmedBy,
      ...{ width: 120, grow: 1, rank: 5, card: 'none' },
      value: ({ confirmedBy, confirmed }) => confirmedBy ?? (confirmed ? t.page.someone : ''),
      cell: ({ confirmedBy, confirmed, note }) =>
        confirmed && <Lines main={confirmedBy ?? t.page.someone} minor={note} />,
    },
    {
      id: 'limit',
      title: columns.limit,
      ...{ width: 90, rank: 8, card: 'none', isHiddenFirst: true },
      sort: false,
      value: ({ limit, unit }) => say(limit, unit),
    },
    {
      id: 'tag',
      title: columns.tag,
      ...{ width: 120, grow: 1, rank: 9, card: 'none', isHiddenFirst: true },
      value: ({ tag }) => tag,
    },
    {
      id: 'clearedAt',
      kind: 'time',
      title: columns.clearedAt,
      sort: 'platform',
      ...{ width: 160, rank: 10, card: 'none', isHiddenFirst: true },
      value: ({ clearedAt }) => clearedAt,
      cell: ({ clearedAt }) => <ExactTime at={clearedAt} />,
    },
    actionsColumn<Alarm>(
      actions,
      112,
      (alarm) =>
        alarm.confirmed ? null : (
          <RowActions>
            <Button
              {...acknowledges}
              size="small"
              aria-label={t.acts.confirmOne(nameOfAlarm(alarm))}
              onClick={(event) => {
                event.stopPropagation()
                onConfirm(alarm)
              }}
            >
              {t.acts.confirm}
            </Button>
          </RowActions>
        ),
      'foot',
    ),
  ]
}
