import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { EnterLink } from '../../../entities/machine/enter-link.tsx'
import { enterAddresses } from '../../../entities/machine/enter-machine.ts'
import { KeySparkline, KeyValue, keyValueName, LastSeen } from '../../../entities/machine/key-value.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { statesOf } from '../../../entities/machine/machine-state.ts'
import { useKeyValueWatch } from '../../../entities/machine/use-key-value-watch.ts'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { useSitesText } from '../sites-text.ts'
import css from './plan.module.css'
import { useVisibleMachine } from './use-visible-machine.ts'

interface MachineCardProps {
  machine: Machine
  space: PageSpace
  onClose: () => void
  onTakeOff?: (() => void) | undefined
}

/** The machine of a mark: its states, key value and alarms, and the ways to it. */
export function MachineCard({ machine, space, onClose, onTakeOff }: MachineCardProps) {
  const text = useText()
  const words = useSitesText()
  const t = words.view
  const watched = useMemo(() => [machine], [machine])
  useVisibleMachine(useKeyValueWatch(watched), machine.id)
  const { eid } = space.asked
  const search = { machine: machine.id }
  const details =
    eid === undefined
      ? ({ to: '/index/', search } as const)
      : ({ to: '/device', search: { type: machine.enterprise?.type ?? 1, eid, ...search } } as const)
  return (
    <section className={css.card} aria-label={t.card}>
      <Row gap={8}>
        <span className={`${css.cardName} cut`}>{machine.name}</span>
        <IconButton icon="close" size="small" label={t.close} onClick={onClose} />
      </Row>
      <Row gap={10} wraps below={8}>
        {statesOf(machine).map((state) => (
          <StateGlyph key={state} state={state} />
        ))}
        {machine.openAlarms > 0 && (
          <Text size={12} className={css.alarms}>
            {t.alarms(machine.openAlarms)}
          </Text>
        )}
      </Row>
      {machine.overview?.keyTag && (
        <Row gap={10} below={8} wraps>
          <span>
            <Text as="p" tone="quiet" size={12}>
              {keyValueName(machine)}
            </Text>
            <KeyValue machine={machine} className={css.value} />
          </span>
          <KeySparkline machine={machine} width={96} height={30} />
        </Row>
      )}
      <Text as="p" tone="quiet" size={12} below={8}>
        <LastSeen machine={machine} />
      </Text>
      <Row gap={16} wraps>
        <EnterLink machine={machine} look="word" t={text.visits} addressOf={enterAddresses()} />
        <Link {...details} className={css.link}>
          {t.details}
        </Link>
        {onTakeOff && (
          <Button size="small" kind="ghost" onClick={onTakeOff}>
            {words.edit.takeOff}
          </Button>
        )}
      </Row>
    </section>
  )
}
