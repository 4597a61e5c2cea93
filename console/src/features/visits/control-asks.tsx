import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { visitIcons } from '../../entities/machine/visit-icons.ts'
import { useGiveControl, useGivesControl } from '../../entities/visit/live/use-control-actions.tsx'
import { listedMachineQuery } from '../../entities/visit/visit-queries.ts'
import type { LiveVisit, LiveVisits } from '../../entities/visit/visit-state.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack } from '../../shared/ui/layout/layout.tsx'
import css from './control-asks.module.css'

/**
 * Shown to the people who can answer: the one in control, and the keys. Stays until it is answered or
 * withdrawn.
 */
export function ControlAsks({ live }: { live: LiveVisits }) {
  const t = useText().visits.asks
  const asking = live.visits.filter((visit) => !visit.me && visit.asks && !visit.controls)
  const [declined, decline] = useDeclined(asking)
  const open = asking.filter((visit) => !declined.has(visit.sessionId))
  if (!open.length) return null
  return (
    <Stack as="section" gap={8} aria-label={t.label} aria-live="polite">
      {open.map((visit) => (
        <AskCard
          key={visit.sessionId}
          visit={visit}
          machineName={
            live.visits.find((one) => one.machineId === visit.machineId && one.machineName)?.machineName
          }
          isHolder={live.controllers[visit.machineId]?.me ?? false}
          onDecline={() => decline(visit.sessionId)}
        />
      ))}
    </Stack>
  )
}

/** An ignored request stays hidden until it is made again. */
function useDeclined(asking: readonly LiveVisit[]): [ReadonlySet<number>, (sessionId: number) => void] {
  const [declined, setDeclined] = useState<ReadonlySet<number>>(new Set())
  const ids = asking.map((visit) => visit.sessionId).join()
  useEffect(() => {
    const still = new Set(ids.split(',').map(Number))
    setDeclined((before) => {
      const after = new Set([...before].filter((id) => still.has(id)))
      return after.size === before.size ? before : after
    })
  }, [ids])
  return [declined, (sessionId) => setDeclined((before) => new Set([...before, sessionId]))]
}

interface AskCardProps {
  visit: LiveVisit
  machineName: string | undefined
  /** The caller controls the machine. */
  isHolder: boolean
  onDecline: () => void
}

function AskCard({ visit, machineName, isHolder, onDecline }: AskCardProps) {
  const t = useText().visits.asks
  const lang = useLang()
  const givesControl = useGivesControl(visit.machineId)
  const named = useQuery({ ...listedMachineQuery(visit.machineId, lang), enabled: !machineName })
  const { give, isPending, dialog } = useGiveControl(visit.machineId)
  if (!isHolder && !givesControl) return null
  return (
    <div className={css.card}>
      <span className={css.mark}>
        <Icon path={visitIcons.control} />
      </span>
      <p className={css.text}>{t.text(visit.user, machineName || named.data?.name || '…')}</p>
      <Row gap={8} align="stretch" justify="end" spans className={css.buttons}>
        <Button size="small" onClick={onDecline}>
          {t.decline}
        </Button>
        <Button size="small" kind="primary" busy={isPending} onClick={() => give(visit)}>
          {isHolder ? t.hand : t.give}
        </Button>
      </Row>
      {dialog}
    </div>
  )
}
