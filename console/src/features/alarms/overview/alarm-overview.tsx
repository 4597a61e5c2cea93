import { alarmLimits, machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { AlarmLevel, AlarmState } from '../../../entities/alarm/alarm.ts'
import { type AlarmCounts, alarmCountsQuery } from '../../../entities/alarm/alarm-queries.ts'
import { LevelGlyph } from '../../../entities/alarm/level-badge.tsx'
import { formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Grid, Panel, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import css from './alarm-overview.module.css'
import { DayBars } from './day-bars.tsx'

interface AlarmOverviewProps {
  space: PageSpace
  /** Only the counts by state: the others do not fit beside an open alarm. */
  isShort: boolean
  /** Shows only alarms in this state. */
  onState: (state: AlarmState) => void
  /** Shows only active alarms of this level. */
  onLevel: (level: AlarmLevel) => void
  /** Shows only alarms of this machine. */
  onMachine: (machineId: number) => void
}

/** The number of alarms by state and level, on each of seven days, and by machine. */
export function AlarmOverview({ space, isShort, ...acts }: AlarmOverviewProps) {
  const text = useText()
  const t = text.alarms.counts
  const lang = useLang()
  const { data, isError, isFetching, refetch } = useQuery(alarmCountsQuery(space.asked, lang))
  if (!data && isError)
    return (
      <Stack as="section" below={12} gap={12} className={css.overview} aria-label={t.label}>
        <Panel as="div" pad="12 16" shrinks>
          <EmptyState icon="warning" title={t.failed} hint={text.alarms.page.failedHint}>
            <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
              {text.app.retry}
            </Button>
          </EmptyState>
        </Panel>
      </Stack>
    )
  return (
    <Stack as="section" below={12} gap={12} className={css.overview} aria-label={t.label} aria-busy={!data}>
      <States counts={data} {...acts} />
      {!isShort && (
        <Grid columns={3} gap={12} className={css.panels}>
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
            {data ? <DayBars days={data.byDay} /> : <Skeleton height={112} />}
          </Panel>
          <Panel as="div" pad="12 16" shrinks>
            <Row as="h2" below={8} gap={8} align="baseline" size="14/20">
              {t.top}
              <Text tone="quiet" size={12} weight={400}>
                {t.topHint}
              </Text>
            </Row>
            <TopMachines counts={data} {...acts} />
          </Panel>
        </Grid>
      )}
    </Stack>
  )
}

interface PartProps extends Omit<AlarmOverviewProps, 'space' | 'isShort'> {
  /** Undefined until the first answer. */
  counts: AlarmCounts | undefined
}

function States({ counts, onState }: PartProps) {
  const t = useText().alarms.counts
  const figures = [
    { state: 'active', count: counts?.active },
    { state: 'unconfirmed', count: counts?.unconfirmed },
    { state: 'shelved', count: counts?.shelved },
    { state: 'outOfService', count: counts?.outOfService },
  ] as const
  return (
    <ul className={css.counts}>
      {figures.map(({ state, count }) => (
        <li key={state}>
          <button
            type="button"
            className={css.count}
            data-tip={t.show(t[state])}
            onClick={() => onState(state)}
          >
            <Text tone="quiet" size="12/16">
              {t[state]}
            </Text>
            <Figure count={count} />
          </button>
        </li>
      ))}
      <li>
        <div className={css.count}>
          <Text tone="quiet" size="12/16">
            {t.today}
          </Text>
          <Figure count={counts?.today} />
        </div>
      </li>
    </ul>
  )
}

/** The platform counts up to this number. */
function formatCount(count: number | undefined, atLeast: (n: string) => string): string {
  if (count === undefined) return ''
  const text = formatNumber(count)
  return count >= alarmLimits.alarmTotalMax ? atLeast(text) : text
}

function Figure({ count }: { count: number | undefined }) {
  const t = useText().alarms.counts
  return (
    <Text size="21/28" weight={600} numbers>
      {count === undefined ? <Skeleton width={36} height={18} /> : formatCount(count, t.atLeast)}
    </Text>
  )
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
