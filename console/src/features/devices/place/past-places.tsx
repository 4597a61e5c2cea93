import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatDistance } from '../../../entities/place/format-distance.ts'
import { hasWebGl } from '../../../entities/place/has-web-gl.ts'
import { usePlaceText } from '../../../entities/place/place-text.ts'
import { formatExact, formatMinute } from '../../../shared/i18n/index.ts'
import { Box, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { SmallMap } from './lazy-small-map.ts'
import css from './past-places.module.css'
import { type PastPlace, pastPlacesQuery } from './place-queries.ts'

const dayMs = 86_400_000
const spans = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const
type Span = keyof typeof spans
/** More rows are reached by the slider, and by a shorter time. */
const listedMax = 50

/** Where a machine was: on a slider of time with the map, and as a list. */
export function PastPlaces({ machineId }: { machineId: number }) {
  const t = usePlaceText()
  const [span, setSpan] = useState<Span>('week')
  const { data } = useQuery(pastPlacesQuery(machineId, spans[span]))
  const newestFirst = data?.list.toReversed() ?? []
  return (
    <Box as="section" pad="14 16" aria-label={t.history} aria-busy={!data}>
      <Row gap="8 16" justify="between" wraps>
        <h3>{t.history}</h3>
        <ToggleGroup
          size="small"
          label={t.history}
          options={(Object.keys(spans) as Span[]).map((value) => ({ value, label: t.spans[value] }))}
          value={span}
          onChange={setSpan}
        />
      </Row>
      {!data && <Skeleton height={96} />}
      {data && newestFirst.length === 0 && (
        <Text as="p" above={10} tone="quiet">
          {t.historyNone}
        </Text>
      )}
      {data && newestFirst.length > 0 && (
        <>
          <TimeSlider key={span} list={data.list.filter(({ implausible }) => implausible === null)} />
          <ul className={css.list}>
            {newestFirst.slice(0, listedMax).map((past) => (
              <PastRow key={`${past.at} ${past.source} ${past.lat} ${past.lng}`} past={past} />
            ))}
          </ul>
          {(data.isCut || newestFirst.length > listedMax) && (
            <Text as="p" above={8} tone="quiet" size="12/18">
              {t.historyCut(Math.min(listedMax, newestFirst.length))}
            </Text>
          )}
        </>
      )}
    </Box>
  )
}

function PastRow({ past }: { past: PastPlace }) {
  const t = usePlaceText()
  const { at, lat, lng, accuracy, source, implausible } = past
  return (
    <li className={css.row} data-doubted={implausible !== null || undefined}>
      <span title={formatExact(at)}>{formatMinute(at)}</span>
      <span className="mono">
        {lat.toFixed(5)}, {lng.toFixed(5)}
      </span>
      <Text tone="quiet" size="12/18">
        {[t.sources[source], accuracy !== null && `±${formatDistance(accuracy)}`].filter(Boolean).join(' ')}
      </Text>
      {implausible && (
        <Text tone="warn" size="12/18">
          {t.notBelieved(t.implausible[implausible])}
        </Text>
      )}
    </li>
  )
}

/** One past place at a time, by the slider under the map. */
function TimeSlider({ list }: { list: readonly PastPlace[] }) {
  const t = usePlaceText()
  const id = useId()
  const [chosen, choose] = useState<number>()
  const last = list.length - 1
  const position = Math.min(chosen ?? last, last)
  const past = list[position]
  if (!hasWebGl() || !past || last < 1) return null
  return (
    <Box above={10}>
      <SmallMap label={t.past} pin={t.past} at={past} accuracyM={past.accuracy} />
      <Row above={8} gap={12}>
        <input
          id={id}
          type="range"
          className={css.slider}
          min={0}
          max={last}
          value={position}
          aria-label={t.slider}
          aria-valuetext={formatMinute(past.at)}
          onChange={(event) => choose(Number(event.target.value))}
        />
        <Text as="output" htmlFor={id} numbers size="12/18" className={css.time}>
          {formatMinute(past.at)}
        </Text>
      </Row>
    </Box>
  )
}
