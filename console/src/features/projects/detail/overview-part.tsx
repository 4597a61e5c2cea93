import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Project } from '../../../entities/project/project.ts'
import { projectDestinationsQuery, projectUsageQuery } from '../../../entities/project/project-queries.ts'
import { QuotaBar } from '../../../entities/project/quota-bar.tsx'
import { formatDate, formatNumber } from '../../../shared/i18n/index.ts'
import { formatLasts } from '../../../shared/i18n/time-span.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { TrendChart } from '../../../shared/ui/data/trend-chart.tsx'
import { ListFailed } from '../../../shared/ui/empty-state.tsx'
import { Box, Note, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Panel } from '../../../shared/ui/people/panel.tsx'
import type { ProjectPart } from '../search.ts'
import { useDetailText } from './detail-text.ts'
import type { PartProps } from './part-props.ts'
import { useChange } from './use-change.ts'

/** A project at a glance: the next step, its rate, its quota, and how far each destination is behind. */
export function OverviewPart({ project }: PartProps) {
  return (
    <>
      <StatePanel project={project} />
      <QuotaPanel project={project} />
      <RowsPanel project={project} />
      <LagPanel project={project} />
    </>
  )
}

/** The state in a sentence, and the next step. */
function StatePanel({ project }: PartProps) {
  const t = useDetailText().overview
  const change = useChange(project)
  const navigate = useNavigate()
  const { id, state, machines } = project
  const open = (part: ProjectPart) => void navigate({ to: '/project/$id/{-$part}', params: { id, part } })
  return (
    <Row as="section" surface="panel" pad="12 16" gap="8 16" wraps data-subject="">
      <Box grows>{state === 'waiting' && machines === 0 ? t.noMachines : t.next[state]}</Box>
      {state === 'off' && (
        <Button kind="primary" busy={change.isPending} onClick={() => change.mutate({ report_state: 1 })}>
          {t.turnOn}
        </Button>
      )}
      {machines === 0 && (
        <Button kind="primary" onClick={() => open('machines')}>
          {t.addMachines}
        </Button>
      )}
      {machines > 0 && (state === 'waiting' || state === 'failing') && (
        <Button onClick={() => open('destinations')}>{t.openDestinations}</Button>
      )}
    </Row>
  )
}

/** The rest of the month’s quota, the day on which it ends at this rate, and the interval that would make it last. */
function QuotaPanel({ project }: PartProps) {
  const t = useDetailText().overview
  const query = useQuery(projectUsageQuery(project.id))
  const change = useChange(project)
  const usage = query.data
  return (
    <Panel title={t.quota} lead={usage && t.until(formatDate(usage.monthTo))}>
      {query.isError && !query.data && (
        <ListFailed isFetching={query.isFetching} retry={() => void query.refetch()} />
      )}
      {usage && (
        <Stack gap={8} line="top" pad="12 16">
          <QuotaBar rowsMax={usage.rowsMax} rowsLeft={Math.max(0, usage.rowsMax - usage.rows)} />
          <Row gap="4 16" wraps>
            <Text tone="soft" numbers>
              {usage.perDay === 0 ? t.noRows : t.perDay(formatNumber(usage.perDay))}
            </Text>
            <Text tone={usage.endsAt === null ? 'soft' : 'warn'}>
              {usage.rowsMax > 0 && usage.rows >= usage.rowsMax
                ? t.over
                : usage.endsAt !== null
                  ? t.ends(formatDate(usage.endsAt))
                  : usage.perDay > 0 && t.lasts}
            </Text>
          </Row>
          {usage.lastingEveryS !== null && (
            <Row gap="8 16" wraps>
              <Text>{t.lasting(formatLasts(usage.lastingEveryS * 1_000))}</Text>
              <Button
                size="small"
                busy={change.isPending}
                onClick={() => change.mutate({ everyS: usage.lastingEveryS ?? project.everyS })}
              >
                {t.toLasting(formatLasts(usage.lastingEveryS * 1_000))}
              </Button>
            </Row>
          )}
        </Stack>
      )}
    </Panel>
  )
}

const minuteMs = 60_000
const dayMs = 86_400_000
const ignore = () => {}
/** A steady rate is not drawn as if it were about to end. */
const fromZero = { at: 0, back: 0, tone: 'off', label: '', isWanted: true } as const

/** The points of the last day until the running minute: those that are missing between others had no rows. */
function everyMinute(minutes: readonly { readonly at: number; readonly rows: number }[], to: number) {
  const first = minutes[0]?.at
  if (first === undefined) return []
  const rowsAt = new Map(minutes.map(({ at, rows }) => [at, rows]))
  const count = Math.max(0, Math.floor((to - first) / minuteMs))
  return Array.from({ length: count }, (_, place) => {
    const at = first + place * minuteMs
    const value = rowsAt.get(at) ?? 0
    return { at, value, min: value, max: value }
  })
}

/** The rows of each minute of the last day. */
function RowsPanel({ project }: PartProps) {
  const t = useDetailText().overview
  const { data, dataUpdatedAt, isPending } = useQuery(projectUsageQuery(project.id))
  const chart = useMemo(() => {
    const to = dataUpdatedAt || Date.now()
    const points = everyMinute(data?.minutes ?? [], to)
    const line = {
      key: 'rows',
      name: t.rows,
      unit: t.rowsUnit,
      colour: 1,
      stepped: true,
      intervalMs: minuteMs,
    }
    return {
      range: { from: to - dayMs, to },
      lines: [{ ...line, min: null, max: null, ruleLimits: [fromZero], points, gaps: [] }],
    }
  }, [data, dataUpdatedAt, t])
  return (
    <Panel title={t.rows} lead={t.rowsLead}>
      <Box line="top" pad="12 16">
        <TrendChart label={t.rows} {...chart} band={false} height={200} busy={isPending} onCursor={ignore} />
      </Box>
    </Panel>
  )
}

/** How far each destination is behind. */
function LagPanel({ project: { id } }: { project: Project }) {
  const t = useDetailText().overview
  const query = useQuery(projectDestinationsQuery(id))
  return (
    <Panel title={t.lag}>
      {query.isError && !query.data && (
        <ListFailed isFetching={query.isFetching} retry={() => void query.refetch()} />
      )}
      {query.data?.length === 0 && (
        <Box line="top" pad="12 16">
          <Note>{t.lagNone}</Note>
        </Box>
      )}
      <ul>
        {query.data?.map(({ targetId, name, state, failingSince, lagMs, lagRows }) => (
          <Row key={targetId} as="li" line="top" pad="10 16" gap="4 16" wraps>
            <Text grows weight={500} cut>
              {name}
            </Text>
            {state === 'on' ? (
              <>
                <Text tone={failingSince === null ? 'soft' : 'crit'} numbers>
                  {lagMs < 1_000 ? t.inTime : formatLasts(lagMs)}
                </Text>
                <Text tone="quiet" numbers>
                  {t.lagRows(formatNumber(lagRows))}
                </Text>
              </>
            ) : (
              <Text tone="quiet">{t.off}</Text>
            )}
          </Row>
        ))}
      </ul>
    </Panel>
  )
}
