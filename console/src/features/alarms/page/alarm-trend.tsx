import { telemetry } from '@busbar/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { AlarmDetail } from '../../../entities/alarm/alarm-queries.ts'
import { historyKey, machineTagsQuery } from '../../../entities/machine/machine-queries.ts'
import { limitsOf, toGaps, toTrendPoint } from '../../../entities/machine/trend-data.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { useTheme } from '../../../shared/session/theme.ts'
import { Button } from '../../../shared/ui/button.tsx'
import type { PlotPlace } from '../../../shared/ui/data/trend-canvas.tsx'
import type { TrendLine } from '../../../shared/ui/data/trend-line.ts'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import css from './alarm-pane.module.css'
import trend from './alarm-trend.module.css'
import { spanAround } from './span-around.ts'

const TrendCanvas = lazy(() => import('../../../shared/ui/data/trend-canvas.tsx'))

const height = 176
const bucketMs = 5_000
const samplesMax = 2_000
/** Until the ten minutes afterwards have passed. */
const refreshMs = 30_000

function aroundQuery(machineId: number, tagId: number, raisedAt: number) {
  const { from, to } = spanAround(raisedAt)
  return queryOptions({
    queryKey: [...historyKey(machineId), 'around', tagId, raisedAt],
    queryFn: ({ signal }) =>
      call(
        telemetry.getHistory,
        { tagIds: [tagId], from, to, interval: bucketMs, points: samplesMax, agg: 'auto' },
        { signal, noNotice: true },
      ),
    refetchInterval: () => (Date.now() < to ? refreshMs : false),
    structuralSharing: false,
  })
}

/** The variable of an alarm from ten minutes before to ten minutes after it, with its limit. */
export function AlarmTrend({ alarm, tagId }: { alarm: AlarmDetail; tagId: number }) {
  const text = useText()
  const t = text.alarms.page
  const { machineId, raisedAt, limit, value } = alarm
  const lang = useLang()
  const theme = useTheme()
  const [place, setPlace] = useState<PlotPlace | null>(null)
  const { data: tags } = useQuery(machineTagsQuery(machineId, lang))
  const tag = tags?.find((each) => each.tagId === tagId)
  const { data, isError, isFetching, refetch } = useQuery(aroundQuery(machineId, tagId, raisedAt))
  const range = useMemo(() => spanAround(raisedAt), [raisedAt])
  const lines = useMemo((): readonly TrendLine[] => {
    const series = data?.series.find((each) => each.tagId === tagId)
    if (!tag || !data || !series) return []
    const ownLimits = limitsOf(tag)
    const isAbove = typeof limit === 'number' && !(typeof value === 'number' && value < limit)
    return [
      {
        ...{ key: String(tagId), name: tag.name, unit: tag.unit, colour: 1 },
        stepped: tag.type === 'bool' || tag.enum !== undefined,
        ...(typeof limit === 'number'
          ? { min: isAbove ? null : limit, max: isAbove ? limit : null }
          : ownLimits),
        intervalMs: series.kind === 'buckets' ? (series.intervalMs ?? 0) : 0,
        points: series.points.map(toTrendPoint),
        gaps: toGaps(data),
      },
    ]
  }, [data, tag, tagId, limit, value])
  const left = place && place.left + ((raisedAt - range.from) / (range.to - range.from)) * place.width
  const skeleton = <Skeleton height={height} />
  return (
    <section className={pane.section} aria-label={t.trend}>
      <h3>{t.trend}</h3>
      {isError && !data ? (
        <Text as="p" above={6} tone="quiet" role="alert">
          {t.trendFailed}{' '}
          <Button size="small" icon="refresh" busy={isFetching} onClick={() => void refetch()}>
            {text.app.retry}
          </Button>
        </Text>
      ) : (
        <figure className={css.chart} style={{ height }}>
          {tag && data ? (
            <div role="img" aria-label={t.trendLabel(tag.name)}>
              <Suspense fallback={skeleton}>
                <TrendCanvas
                  lines={lines}
                  range={range}
                  band={false}
                  height={height}
                  theme={theme}
                  lang={lang}
                  units
                  words={text.machines.trend}
                  onPlace={({ left: at, width }) =>
                    setPlace((before) =>
                      before?.left === at && before.width === width ? before : { left: at, width },
                    )
                  }
                />
              </Suspense>
              {left !== null && (
                <span className={trend.mark} style={{ left }}>
                  <Text padX={4} tone="crit" size="11/16" oneLine className={trend.word}>
                    {t.trendAt}
                  </Text>
                </span>
              )}
            </div>
          ) : (
            skeleton
          )}
        </figure>
      )}
    </section>
  )
}
