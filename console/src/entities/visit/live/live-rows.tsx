import { useQuery } from '@tanstack/react-query'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import type { Machine } from '../../machine/machine.ts'
import { PaneFailed } from '../pane-failed.tsx'
import css from '../pane-visits.module.css'
import { useEndVisit, useStay } from '../visit-actions.ts'
import { machineVisitsQuery } from '../visit-queries.ts'
import type { LiveVisit } from '../visit-state.ts'
import { formatBytes } from '../visit-time.ts'
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
  if (data.visits.length === 0) return <p className={css.none}>{t.nobody}</p>
  const holder = data.controllers[machine.id]?.who ?? null
  return (
    <ul className={css.rows}>
      {data.visits.map((visit) => (
        <li key={visit.sessionId} className={css.row}>
          <div className={css.words}>
            <p className={css.first}>
              <PersonName visit={visit} />
              <ControlState controls={visit.controls} />
              {visit.asks && !visit.controls && <span className={css.asks}>{t.asks}</span>}
            </p>
            <LiveFacts visit={visit} />
          </div>
          {visit.me ? (
            <OwnButtons visit={visit} holder={holder} />
          ) : (
            isKey && <KeyButtons visit={visit} machineName={machine.name} />
          )}
        </li>
      ))}
    </ul>
  )
}

function PersonName({ visit }: { visit: LiveVisit }) {
  const t = useText().visits
  return (
    <>
      <b className="cut" title={visit.user}>
        {visit.user}
      </b>
      {visit.me && <span className={css.you}>{t.you}</span>}
    </>
  )
}

function LiveFacts({ visit }: { visit: LiveVisit }) {
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
    <div className={css.buttons}>
      {mayStay && (
        <Button size="small" busy={stay.isPending} onClick={() => stay.mutate(visit)}>
          {t.stay}
        </Button>
      )}
      {visit.kind === 'page' && (
        <Button size="small" busy={control.isPending} onClick={control.run}>
          {control.label}
        </Button>
      )}
      <Button size="small" busy={end.isPending} onClick={() => end.mutate(visit)}>
        {t.end}
      </Button>
      {control.dialog}
    </div>
  )
}
