import { alarmLimits, alarms } from '@busbar/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AlarmCentre } from '../../../entities/alarm/alarm-centre.tsx'
import { alarmQualityQuery } from '../../../entities/alarm/alarm-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { fileStamp, ownCsvWish } from '../../../shared/ui/data/csv.ts'
import { saveFile } from '../../../shared/ui/data/save-file.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { ShapeWait } from '../../../shared/ui/shape-wait.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import css from './quality-page.module.css'
import { QualityRates } from './quality-rates.tsx'
import { QualityTables } from './quality-tables.tsx'

const dayMs = 86_400_000
const spansMs = {
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  quarter: alarmLimits.alarmQualityDaysMax * dayMs,
} as const
type Span = keyof typeof spansMs
const spans = Object.keys(spansMs) as Span[]

/** The number of alarms of a period, measured against the number that people can handle. */
export function QualityPage(): ReactNode {
  return <AlarmCentre tab="quality">{(space) => <QualityOfSpace space={space} />}</AlarmCentre>
}

function QualityOfSpace({ space }: { space: PageSpace }) {
  const text = useText()
  const t = text.alarms.quality
  const lang = useLang()
  const [{ span, to }, setPeriod] = useState(() => ({ span: 'week' as Span, to: Date.now() }))
  const period = { from: to - spansMs[span], to }
  const { data, isError, isFetching, refetch } = useQuery(alarmQualityQuery(space.asked, period, lang))
  const save = useMutation({
    mutationFn: () =>
      call(alarms.exportAlarmQuality, { ...space.asked, ...period, ...ownCsvWish() }, { noNotice: true }),
    onSuccess: ({ csv }) =>
      saveFile(`${text.alarms.tabs.quality} ${fileStamp(Date.now())}.csv`, csv, 'text/csv;charset=utf-8'),
    onError: () => showToast(text.alarms.list.exportFailed, 'failure'),
  })
  return (
    <Stack gap={12} className={css.quality} aria-busy={isFetching}>
      <Row as="header" gap="8 16" justify="between" wraps>
        <Text as="p" tone="soft" pretty>
          {t.lead}
        </Text>
        <Row gap={8} wraps>
          <ToggleGroup
            label={t.span}
            size="small"
            value={span}
            onChange={(wished) => setPeriod({ span: wished, to: Date.now() })}
            options={spans.map((value) => ({ value, label: t.spans[value] }))}
          />
          <Button
            size="small"
            icon="download"
            busy={save.isPending}
            disabled={!data?.raised}
            onClick={() => save.mutate()}
          >
            {t.export}
          </Button>
        </Row>
      </Row>
      {data ? (
        data.raised === 0 && data.standingCount === 0 ? (
          <div className={css.panel}>
            <EmptyState icon="alarm" title={t.none} hint={t.noneHint} />
          </div>
        ) : (
          <>
            <QualityRates quality={data} />
            <QualityTables quality={data} eid={space.asked.eid ?? 0} />
          </>
        )
      ) : isError ? (
        <div className={css.panel}>
          <EmptyState icon="warning" title={t.failed} hint={text.alarms.page.failedHint}>
            <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
              {text.app.retry}
            </Button>
          </EmptyState>
        </div>
      ) : (
        <ShapeWait shape="chart" />
      )}
    </Stack>
  )
}
