import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatBytes, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { Box, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import type { Machine } from '../../machine/machine.ts'
import { useVisitChanges } from '../changes/use-visit-changes.tsx'
import { PaneFailed } from '../pane-failed.tsx'
import css from '../pane-visits.module.css'
import { useEndVisit, useStay } from '../visit-actions.ts'
import { machineVisitsQuery } from '../visit-queries.ts'
import type { LiveVisit } from '../visit-state.ts'
import { targetWords } from '../visit-words.ts'
import { ControlState } from './control-state.tsx'
import { KeyButtons } from './key-buttons.tsx'
import { TimeLeft, useMayStay } from './time-left.tsx'
import { useOwnControl } from './use-control-actions.tsx'

interface LiveRowsProps {
  machine: Pick<Machine, 'id' | 'name'>
  isKey: boolean
}

/** The open visits of a machine. */
export function LiveRows({ machine, isKey }: LiveRowsProps) {
  const t = useText().visits.pane
  const { data, isError, refetch } = useQuery(machineVisitsQuery(machine.id))
  if (!data)
    return isError ? (
      <PaneFailed onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={40} className={css.skeleton} />
    )
  if (data.visits.length === 0)
    return (
      <Row as="p" padY={6} gap={12} tone="quiet">
        {t.nobody}
      </Row>
    )
  const holder = data.controllers[machine.id]?.who ?? null
  return (
    <Box as="ul" above={4}>
      {data.visits.map((visit) => (
        <LiveRow key={visit.sessionId} visit={visit} machine={machine} isKey={isKey} holder={holder} />
      ))}
    </Box>
  )
}

interface LiveRowProps extends LiveRowsProps {
  visit: LiveVisit
  holder: string | null
}

function LiveRow({ visit, machine, isKey, holder }: LiveRowProps) {
  const t = useText().visits.pane
  const { toggle, record } = useVisitChanges(visit)
  return (
    <li className={css.row}>
      <Stack gap={2} grows className={css.words}>
        <Row as="p" gap={8} shrinks leading={18} className={css.first}>
          <PersonName visit={visit} />
          <ControlState controls={visit.controls} />
          {visit.asks && !visit.controls && (
            <Text fixed tone="text" size={12} weight={550}>
              {t.asks}
            </Text>
          )}
        </Row>
        <LiveFacts visit={visit} toggle={toggle} />
      </Stack>
      {visit.me ? (
        <OwnButtons visit={visit} holder={holder} />
      ) : (
        isKey && <KeyButtons visit={visit} machineName={machine.name} />
      )}
      {record}
    </li>
  )
}

function PersonName({ visit }: { visit: LiveVisit }) {
  const t = useText().visits
  return (
    <>
      <b className="cut" title={visit.user}>
        {visit.user}
      </b>
      {visit.me && (
        <Text fixed tone="quiet" size={12}>
          {t.you}
        </Text>
      )}
    </>
  )
}

function LiveFacts({ visit, toggle }: { visit: LiveVisit; toggle: ReactNode }) {
  const text = useText()
  const t = text.visits
  const target = targetWords(visit, text)
  return (
    <p className={css.facts}>
      {target && <span className={visit.kind === 'page' ? 'mono' : undefined}>{target}</span>}
      <RelativeTime at={visit.from} />
      <span data-tip={t.pane.bytes(formatBytes(visit.bytesOut), formatBytes(visit.bytesIn))}>
        ↓ {formatBytes(visit.bytesOut)} ↑ {formatBytes(visit.bytesIn)}
      </span>
      <span>
        <TimeLeft visit={visit} short />
      </span>
      {toggle}
    </p>
  )
}

function OwnButtons({ visit, holder }: { visit: LiveVisit; holder: string | null }) {
  const t = useText().visits.pane
  const control = useOwnControl(visit, holder)
  const end = useEndVisit()
  const stay = useStay()
  const mayStay = useMayStay(visit)
  return (
    <Row gap={6} align="stretch" fixed>
      {mayStay && (
        <Button size="small" busy={stay.isPending} onClick={() => stay.mutate(visit)}>
          {t.stay}
        </Button>
      )}
      <Button size="small" busy={control.isPending} onClick={control.run}>
        {control.label}
      </Button>
      <Button size="small" busy={end.isPending} onClick={() => end.mutate(visit)}>
        {t.end}
      </Button>
      {control.dialog}
    </Row>
  )
}
