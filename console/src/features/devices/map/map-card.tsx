import { machines } from '@busbar/contract'
import { useEffect, useMemo, useRef } from 'react'
import { ApplyLink } from '../../../entities/application/apply-link.tsx'
import { EnterLink } from '../../../entities/machine/enter-link.tsx'
import { enterAddresses } from '../../../entities/machine/enter-machine.ts'
import { KeySparkline, KeyValue, keyValueName } from '../../../entities/machine/key-value.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { statesOf } from '../../../entities/machine/machine-state.ts'
import { formatDistance } from '../../../entities/place/format-distance.ts'
import { useMapText } from '../../../entities/place/map-text.ts'
import { formatRelative, useText } from '../../../shared/i18n/index.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { useNow } from '../../../shared/ui/use-now.ts'
import { AlarmCount } from '../list/alarm-count.tsx'
import css from './map-card.module.css'

interface MapCardProps {
  readonly machine: Machine
  /** Metres to the person; undefined as long as they did not ask. */
  readonly distance: number | undefined
  /** Whether it was opened by the keyboard. */
  readonly takesFocus: boolean
  readonly onDetails: () => void
  readonly onClose: () => void
}

/** The most important of one machine, on its mark. */
export function MapCard({ machine, distance, takesFocus, onDetails, onClose }: MapCardProps) {
  const text = useText()
  const t = useMapText()
  const addressOf = useMemo(() => enterAddresses(), [])
  const now = useNow(15_000)
  const { accuracy, source, placedAt } = machine
  const mayEnter = machine.enterprise !== null || machine.level > machines.limitAuthority.ordinary
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    // Its marker is put on the map after this.
    if (takesFocus) queueMicrotask(() => card.current?.focus({ preventScroll: true }))
  }, [takesFocus])
  return (
    <section ref={card} tabIndex={-1} className={css.card} aria-label={t.card.label(machine.name)}>
      <Row as="header" gap={8} shrinks>
        <Text as="p" weight={600} cut className={css.name}>
          {machine.name}
        </Text>
        {machine.openAlarms > 0 && <AlarmCount machine={machine} />}
        <IconButton icon="close" size="small" label={t.card.close} onClick={onClose} />
      </Row>
      <Row gap={10} wraps size={12}>
        {statesOf(machine).map((state) => (
          <StateGlyph key={state} state={state} strong size={9} />
        ))}
        {distance !== undefined && <Text tone="quiet">{t.list.away(formatDistance(distance))}</Text>}
      </Row>
      {source && placedAt !== null && (
        <Text as="p" tone="quiet" size="11/14">
          {t.card.place(
            accuracy === null ? undefined : formatDistance(accuracy),
            source,
            formatRelative(placedAt, now),
          )}
        </Text>
      )}
      {machine.overview?.keyTag && (
        <Row gap={10} justify="between" className={css.value}>
          <Stack as="span" shrinks>
            <Text as="span" tone="quiet" size="11/14" cut>
              {keyValueName(machine)}
            </Text>
            <KeyValue machine={machine} className={css.number} />
          </Stack>
          <KeySparkline machine={machine} width={88} height={28} />
        </Row>
      )}
      <Row as="footer" gap={8} className={css.acts}>
        {mayEnter ? (
          <EnterLink machine={machine} look="word" t={text.visits} addressOf={addressOf} />
        ) : (
          <ApplyLink machine={machine} look="word" t={text.applications} />
        )}
        <Button size="small" onClick={onDetails}>
          {t.card.details}
        </Button>
      </Row>
    </section>
  )
}
