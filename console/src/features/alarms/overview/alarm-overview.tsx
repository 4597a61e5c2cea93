import { alarmLimits, machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { AlarmLevel, AlarmState } from '../../../entities/alarm/alarm.ts'
import {
  type AlarmCounts,
  type AlarmCountsAsked,
  alarmCountsQuery,
} from '../../../entities/alarm/alarm-queries.ts'
import { LevelGlyph } from '../../../entities/machine/level-badge.tsx'
import { formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { DayBars } from '../../../shared/ui/data/day-bars.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Grid, Panel, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import css from './alarm-overview.module.css'
import { barOf } from './bar-of.ts'

interface CountsProps {
  /** Which alarms are counted. */
  asked: AlarmCountsAsked
}

/** The counts of a space or a device: each shows only its alarms, and the chosen one all again. */
export function AlarmStates({
  asked,
  state,
  onState,
}: CountsProps & { state: AlarmState | undefined; onState: (state: AlarmState | undefined) => void }) {
  const t = useText().alarms.counts
  const { data } = useQuery(alarmCountsQuery(asked, useLang()))
  return (
    <ToggleGroup
      label={t.label}
      size="small"
      value={state ?? everything}
      onChange={(chosen) => onState(chosen === everything ? undefined : chosen)}
      options={[
        { value: everything, label: t.all },
        ...countedStates.map((value) => ({
          value,
          label: t[value],
          ...(data && { count: data[value] }),
          isCut: value === 'unconfirmed' && (data?.unconfirmed ?? 0) >= alarmLimits.alarmTotalMax,
        })),
      ]}
    />
  )
}

const everything = 'all'
const countedStates = ['active', 'unconfirmed', 'shelved', 'outOfService'] as const

interface AlarmChartsProps extends CountsProps {
  /** Shows only active alarms of this level. */
  onLevel: (level: AlarmLevel) => void
  /** Shows only alarms of this machine. */
  onMachine: (machineId: number) => void
}

/** The number of alarms by level, on each of seven days, and by machine. */
export function AlarmCharts({ asked, ...acts }: AlarmChartsProps) {
  const text = useText()
  const t = text.alarms.counts
  const { data, isError, isFetching, refetch } = useQuery(alarmCountsQuery(asked, useLang()))
  if (!data && isError)
    return (
      <Stack as="section" above={12} gap={12} className={css.overview} aria-label={t.charts}>
        <Panel as="div" pad="12 16" shrinks>
          <EmptyState icon="warning" title={t.failed} hint={text.alarms.page.failedHint}>
            <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
              {text.app.retry}
            </Button>
          </EmptyState>
        </Panel>
      </Stack>
    )
  const isOfOne = asked.machineId !== undefined
  return (
    <Stack as="section" above={12} gap={12} className={css.overview} aria-label={t.charts} aria-busy={!data}>
      <Grid columns={isOfOne ? 2 : 3} gap={12} className={css.panels}>
        <Panel as="div" pad="12 16" shrinks>
          <Row as="h2" below={8} gap={8} align="baseline" size="14/20">
            {t.byLevel}
          </Row>
          <Levels counts={data} {...acts} />
        </Panel>
        <Panel as="div" pad="12 16" shrinks>
          <Row as="h2" below={8} gap={8} align="baseline" size="14/20">
            {t.days}
          </Row>
          {data ? <DayBars days={data.byDay.map(barOf)} tip={t.day} /> : <Skeleton height={112} />}
        </Panel>
        {!isOfOne && (
          <Panel as="div" pad="12 16" shrinks>
            <Row as="h2" below={8} gap={8} align="baseline" size="14/20">
              {t.top}
              <Text tone="quiet" size={12} weight={400}>
                {t.topHint}
              </Text>
            </Row>
            <TopMachines counts={data} {...acts} />
          </Panel>
        )}
      </Grid>
    </Stack>
  )
}

interface PartProps extends Omit<AlarmChartsProps, 'asked'> {
  /** Undefined until the first answer. */
  counts: AlarmCounts | undefined
}

function Levels({ counts, onLevel }: PartProps) {
  const text = useText()
  const { levels } = text.machines.alarms
  const most = Math.max(1, ...Object.values(counts?.byLevel ?? {}))
  return (
    <Stack as="ul" gap={2} className={css.rows}>
      {machines.alarmLevels.map((level) => {
        const count = counts?.byLevel[level]
        return (
          <li key={level}>
            <button
              type="button"
              className={css.row}
              data-tip={text.alarms.counts.show(levels[level])}
              onClick={() => onLevel(level)}
            >
              <Row as="span" gap={6} oneLine>
                <LevelGlyph level={level} isOver={count === 0} />
                {levels[level]}
              </Row>
              <span className={css.track}>
                <span
                  className={css.bar}
                  data-level={level}
                  style={{ width: `${((count ?? 0) / most) * 100}%` }}
                />
              </span>
              <span className={css.number}>{count === undefined ? '' : formatNumber(count)}</span>
            </button>
          </li>
        )
      })}
    </Stack>
  )
}

function TopMachines({ counts, onMachine }: PartProps) {
  const t = useText().alarms.counts
  if (!counts) return <Skeleton height={112} />
  if (counts.topMachines.length === 0)
    return (
      <Text as="p" tone="quiet">
        {t.topNone}
      </Text>
    )
  const most = Math.max(...counts.topMachines.map(({ raised }) => raised))
  return (
    <Stack as="ul" gap={2} className={css.rows}>
      {counts.topMachines.map(({ machineId, machineName, raised }) => (
        <li key={machineId}>
          <button
            type="button"
            className={css.row}
            data-tip={t.ofMachine(machineName)}
            onClick={() => onMachine(machineId)}
          >
            <span className={`${css.machine} cut`}>{machineName}</span>
            <span className={css.track}>
              <span className={css.bar} style={{ width: `${(raised / most) * 100}%` }} />
            </span>
            <span className={css.number}>{formatNumber(raised)}</span>
          </button>
        </li>
      ))}
    </Stack>
  )
}
