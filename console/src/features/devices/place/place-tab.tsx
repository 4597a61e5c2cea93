import { metresBetween, places, placeTypes, placeWays } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isSettingKey, type Machine } from '../../../entities/machine/machine.ts'
import { placeKey } from '../../../entities/machine/machine-queries.ts'
import { formatDistance } from '../../../entities/place/format-distance.ts'
import { hasWebGl } from '../../../entities/place/has-web-gl.ts'
import type { Place as Point } from '../../../entities/place/map-point.ts'
import { MovedBetween } from '../../../entities/place/moved-between.tsx'
import { usePlaceText } from '../../../entities/place/place-text.ts'
import { call } from '../../../shared/api/client.ts'
import { formatExact, formatMinute, formatRelative, useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Box, Grid, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import { Select } from '../../../shared/ui/select/select.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { useNow } from '../../../shared/ui/use-now.ts'
import { SmallMap } from './lazy-small-map.ts'
import { PastPlaces } from './past-places.tsx'
import { PlaceDialog } from './place-dialog.tsx'
import { type Fix, placeQuery } from './place-queries.ts'
import css from './place-tab.module.css'

type Place = NonNullable<ReturnType<typeof usePlace>['data']>

const usePlace = (machineId: number) => useQuery(placeQuery(machineId, useLang()))

/** Where a machine is, how that is known, and where it was. */
export function PlaceTab({ machine }: { machine: Machine }) {
  const t = usePlaceText()
  const { failed } = useText().machines
  const answer = usePlace(machine.id)
  const place = answer.data
  if (!place)
    return answer.isError ? (
      <EmptyState icon="warning" title={t.failed} hint={failed.hint}>
        <Button icon="refresh" busy={answer.isFetching} onClick={() => void answer.refetch()}>
          {failed.retry}
        </Button>
      </EmptyState>
    ) : (
      <div className={pane.section} aria-busy="true">
        <Skeleton height={200} />
      </div>
    )
  const maySet = isSettingKey(machine)
  return (
    <>
      <CurrentPlace machine={machine} place={place} maySet={maySet} />
      {place.suggestion && (
        <Suggestion machineId={machine.id} suggestion={place.suggestion} maySet={maySet} />
      )}
      <PlaceSettings machineId={machine.id} place={place} maySet={maySet} />
      <PastPlaces machineId={machine.id} />
    </>
  )
}

function CurrentPlace({ machine, place, maySet }: { machine: Machine; place: Place; maySet: boolean }) {
  const t = usePlaceText()
  const now = useNow(15_000)
  const fix = place.place
  return (
    <section className={pane.section} aria-label={t.now}>
      <h3>{t.now}</h3>
      {place.isMoved && (
        <Row above={10} pad="10 12" gap={8} align="start" className={css.moved} role="note">
          <Icon name="warning" size={16} />
          <div>
            <Text as="p" weight={550}>
              {t.moved}
            </Text>
            <p>{t.movedHint}</p>
            <MovedBetween place={place} />
          </div>
        </Row>
      )}
      {fix && hasWebGl() && (
        <PinMap machineId={machine.id} fix={fix} isAuto={place.type === placeTypes.auto} maySet={maySet} />
      )}
      {fix ? (
        <Grid as="dl" above={10} columns={2} gap="10 16" className={pane.facts}>
          {place.address && <Fact name={t.address}>{place.address}</Fact>}
          <Fact name={t.source}>{t.sources[fix.source]}</Fact>
          <Fact name={t.accuracy}>
            {fix.accuracy === null ? t.exact : t.within(formatDistance(fix.accuracy))}
          </Fact>
          <Fact name={t.at}>
            <span title={formatExact(fix.fixedAt)}>{formatRelative(fix.fixedAt, now)}</span>
          </Fact>
          <Fact name={t.coordinates}>
            <span className="mono">
              {fix.lat.toFixed(5)}, {fix.lng.toFixed(5)}
            </span>
          </Fact>
        </Grid>
      ) : (
        <Stack above={10} gap={2}>
          <Text as="p" weight={550}>
            {place.address || t.none}
          </Text>
          <Text as="p" tone="quiet" size="12/18" pretty>
            {maySet ? t.noneHint : t.noneHintReader}
          </Text>
        </Stack>
      )}
      {place.coarse && (
        <Text as="p" above={10} tone="soft" size="12/18" pretty>
          {t.coarse[place.coarse]}
        </Text>
      )}
      {maySet && <Acts machine={machine} place={place} />}
    </section>
  )
}

interface PinMapProps {
  machineId: number
  fix: Fix
  isAuto: boolean
  maySet: boolean
}

/** The map of the place. A key that may set the place moves the pin, and then says whether it was meant. */
function PinMap({ machineId, fix, isAuto, maySet }: PinMapProps) {
  const t = usePlaceText()
  const { app } = useText()
  const [moved, setMoved] = useState<Point>()
  const pin = useAct({
    call: (to: Point) =>
      call(
        places.setMachineLocation,
        { machineID: machineId, type: placeTypes.manual, ...to, coord: 'wgs84' },
        { noNotice: true },
      ),
    done: t.set,
    touched: [placeKey(machineId)],
  })
  const isMovable = maySet && !pin.isPending
  // The pin waits where it was let go until the new place is read, and goes back where that was refused.
  const save = (to: Point) => pin.mutate(to, { onSettled: () => setMoved(undefined) })
  return (
    <Box above={10}>
      <SmallMap
        label={t.map}
        pin={t.pin}
        at={moved ?? fix}
        accuracyM={moved ? null : fix.accuracy}
        onMove={isMovable ? setMoved : undefined}
      />
      {moved && (
        <Row above={8} gap="8 12" justify="between" wraps>
          <Box shrinks role="status">
            <p>{t.dialog.away(formatDistance(metresBetween(fix, moved)))}</p>
            {isAuto && (
              <Text as="p" tone="quiet" size="12/18">
                {t.endsAuto}
              </Text>
            )}
          </Box>
          <Row gap={8}>
            <Button size="small" disabled={pin.isPending} onClick={() => setMoved(undefined)}>
              {app.cancel}
            </Button>
            <Button size="small" kind="primary" busy={pin.isPending} onClick={() => save(moved)}>
              {t.dialog.save}
            </Button>
          </Row>
        </Row>
      )}
    </Box>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Acts({ machine, place }: { machine: Machine; place: Place }) {
  const t = usePlaceText()
  const [isSetting, setSetting] = useState(false)
  const { left, max, resetAt } = place.refreshes
  const refresh = useAct({
    call: () => call(places.refreshPlace, { machineID: machine.id }, { noNotice: true }),
    done: t.refreshed,
    touched: [placeKey(machine.id)],
  })
  return (
    <Row above={12} gap="8 12" wraps>
      <Button icon="refresh" busy={refresh.isPending} disabled={left === 0} onClick={() => refresh.mutate()}>
        {t.refresh}
      </Button>
      <Button icon="edit" onClick={() => setSetting(true)}>
        {t.byHand}
      </Button>
      <Text tone="quiet" size="12/18">
        {left > 0 ? t.left(left, max) : t.leftNone(formatMinute(resetAt))}
      </Text>
      {isSetting && <PlaceDialog machine={machine} place={place.place} onClose={() => setSetting(false)} />}
    </Row>
  )
}

interface SuggestionProps {
  machineId: number
  suggestion: Fix & { readonly distanceM: number | null }
  maySet: boolean
}

function Suggestion({ machineId, suggestion, maySet }: SuggestionProps) {
  const t = usePlaceText()
  const now = useNow(15_000)
  const { source, accuracy, fixedAt, distanceM } = suggestion
  const accept = useAct({
    call: () => call(places.acceptSuggestion, { machineID: machineId, fixedAt }, { noNotice: true }),
    done: t.accepted,
    touched: [placeKey(machineId)],
  })
  return (
    <Box as="section" pad="14 16" line="bottom" aria-label={t.suggestion}>
      <h3>{t.suggestion}</h3>
      <Row above={6} gap="8 16" justify="between" wraps>
        <Box shrinks>
          <p>
            {t.suggested(
              t.sources[source],
              accuracy === null ? '—' : formatDistance(accuracy),
              formatRelative(fixedAt, now),
            )}
          </p>
          {distanceM !== null && (
            <Text as="p" tone="quiet" size="12/18">
              {t.distance(formatDistance(distanceM))}
            </Text>
          )}
        </Box>
        {maySet && (
          <Button size="small" busy={accept.isPending} onClick={() => accept.mutate()}>
            {t.accept}
          </Button>
        )}
      </Row>
    </Box>
  )
}

const wayNames = { gps: 'gps', wifi: 'wifi', baseStation: 'cells', ip: 'ip' } as const
const byHand = 'manual'
const movedOff = 'off'
const movedChoices = [200, 500, 1_000, 5_000, 10_000]

function PlaceSettings({ machineId, place, maySet }: { machineId: number; place: Place; maySet: boolean }) {
  const t = usePlaceText()
  const touched = [placeKey(machineId)]
  const way = useAct({
    call: (chosen: (typeof placeWays)[keyof typeof placeWays]) =>
      call(places.setAutoLocationWay, { machineID: machineId, way: chosen }, { noNotice: true }),
    done: t.saved,
    touched,
  })
  const moved = useAct({
    call: (movedAfterM: number | null) =>
      call(places.setMovedAfter, { machineID: machineId, movedAfterM }, { noNotice: true }),
    done: t.saved,
    touched,
  })
  const isAuto = place.type === placeTypes.auto
  const ways = Object.entries(placeWays).map(([name, value]) => ({
    value: String(value),
    label: t.types[wayNames[name as keyof typeof wayNames]],
  }))
  const { movedAfterM } = place
  const distances = [...new Set([...movedChoices, ...(movedAfterM === null ? [] : [movedAfterM])])].sort(
    (a, b) => a - b,
  )
  return (
    <Box as="section" pad="14 16" line="bottom" aria-label={t.settings}>
      <h3>{t.settings}</h3>
      <Setting name={t.type} hint={t.typeHint}>
        <Select
          label={t.type}
          isLabelHidden
          className={css.choice}
          disabled={!maySet || way.isPending}
          choices={[...(isAuto ? [] : [{ value: byHand, label: t.types.manual }]), ...ways]}
          value={isAuto ? String(place.way ?? placeWays.gps) : byHand}
          onChange={(chosen) => {
            const found = Object.values(placeWays).find((value) => String(value) === chosen)
            if (found) way.mutate(found)
          }}
        />
      </Setting>
      <Setting name={t.movedAfter} hint={t.movedAfterHint}>
        <Select
          label={t.movedAfter}
          isLabelHidden
          className={css.choice}
          disabled={!maySet || moved.isPending}
          choices={[
            ...distances.map((metres) => ({
              value: String(metres),
              label: t.movedOver(formatDistance(metres)),
            })),
            { value: movedOff, label: t.movedOff },
          ]}
          value={movedAfterM === null ? movedOff : String(movedAfterM)}
          onChange={(chosen) => moved.mutate(chosen === movedOff ? null : Number(chosen))}
        />
      </Setting>
    </Box>
  )
}

function Setting({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <Row above={12} gap={16} justify="between">
      <Box shrinks>
        <p>{name}</p>
        <Text as="p" tone="quiet" size="12/16" pretty>
          {hint}
        </Text>
      </Box>
      {children}
    </Row>
  )
}
