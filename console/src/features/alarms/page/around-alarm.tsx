import type { telemetry, visits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { AlarmDetail } from '../../../entities/alarm/alarm-queries.ts'
import { visitReportQuery } from '../../../entities/visit/visit-queries.ts'
import { formatClock, formatExact, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { formatTagValue } from '../../../shared/ui/data/tag-value.ts'
import { Grid, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import css from './alarm-pane.module.css'
import { spanAround } from './span-around.ts'

/** The visits to the machine around an alarm, and the values written: for its keys. */
export function AroundAlarm({ alarm: { machineId, raisedAt } }: { alarm: AlarmDetail }) {
  const text = useText()
  const t = text.alarms.page
  const { data, isError, isFetching, refetch } = useQuery(visitReportQuery(machineId, spanAround(raisedAt)))
  const entries = data ? listEntries(data.visits, data.writes) : []
  const say = (value: telemetry.TagValue) =>
    formatTagValue(value, { unit: '', scale: null }, text.machines.bool).text
  return (
    <section className={pane.section} aria-label={t.around} aria-busy={!data}>
      <h3>{t.around}</h3>
      {isError && (
        <Text as="p" above={6} tone="quiet" role="alert">
          {t.aroundFailed}{' '}
          <Button size="small" icon="refresh" busy={isFetching} onClick={() => void refetch()}>
            {text.app.retry}
          </Button>
        </Text>
      )}
      {!data && !isError && <Skeleton height={40} className={pane.skeletonBlock} />}
      {data && entries.length === 0 && <p className={css.none}>{t.aroundNone}</p>}
      {entries.length > 0 && (
        <Stack as="ol" above={8}>
          {entries.map(({ key, at, visit, write }) => (
            <Grid key={key} as="li" padY={6} gap="0 10" className={css.event}>
              <div>
                <Row as="p" gap="0 10" align="baseline" justify="between" wraps className={css.first}>
                  <b>
                    {write
                      ? t.wrote(write.tag, say(write.from), say(write.to))
                      : t.visited(visit?.target ?? '')}
                  </b>
                  <time className={css.at} dateTime={new Date(at).toISOString()}>
                    {formatExact(at)}
                  </time>
                </Row>
                <p className={css.said}>
                  {write
                    ? write.user || text.visits.pane.atMachine
                    : visit &&
                      `${visit.user.name} · ${t.visitSpan(
                        formatClock(visit.from),
                        visit.live ? t.goesOn : formatClock(visit.until),
                      )}`}
                </p>
              </div>
            </Grid>
          ))}
        </Stack>
      )}
      {data?.isCut && (
        <Text as="p" above={6} tone="quiet">
          {t.aroundCut}
        </Text>
      )}
    </section>
  )
}

interface Entry {
  readonly key: string
  readonly at: number
  readonly visit?: visits.Visit
  readonly write?: visits.WriteLogEntry
}

/** Visits and writes in one list, in time order. */
function listEntries(
  visited: readonly visits.Visit[],
  written: readonly visits.WriteLogEntry[],
): readonly Entry[] {
  return [
    ...visited.map((visit) => ({ key: `v${visit.sessionId}`, at: visit.from, visit })),
    ...written.map((write) => ({ key: `w${write.id}`, at: write.at, write })),
  ].sort((a, b) => a.at - b.at)
}
