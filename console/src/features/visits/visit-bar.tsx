import type { visits } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { enterAddress } from '../../entities/machine/enter-machine.ts'
import { visitIcons } from '../../entities/machine/visit-icons.ts'
import { TimeLeft } from '../../entities/visit/live/time-left.tsx'
import { updateVisit } from '../../entities/visit/visit-actions.ts'
import { myVisitsQuery } from '../../entities/visit/visit-queries.ts'
import { endOf, type LiveVisit, type LiveVisits } from '../../entities/visit/visit-state.ts'
import { dismissEnded, type EndedVisit, endedVisits, useVisitSync } from '../../entities/visit/visit-sync.ts'
import { push } from '../../shared/api/live.ts'
import { useStore } from '../../shared/api/store.ts'
import { useText } from '../../shared/i18n/index.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { LinkButton } from '../../shared/ui/link-button.tsx'
import { Popover } from '../../shared/ui/popover/popover.tsx'
import askCss from './control-asks.module.css'
import { ControlAsks } from './control-asks.tsx'
import { ControlReleases } from './control-releases.tsx'
import css from './visit-bar.module.css'

/** Most lists are looked at without a visit. */
const VisitRow = lazyPart(() => import('./visit-row.tsx').then((module) => module.VisitRow), 'nowhere')

const nothing: LiveVisits = { visits: [], controllers: {} }

/**
 * The caller's visits at the lower edge of every page, as long as there are any; while it is shown they are
 * not idle.
 */
export function VisitBar({ narrow }: { narrow: boolean }) {
  useVisitSync()
  const t = useText().visits.bar
  const { data = nothing } = useQuery(myVisitsQuery)
  const ended = useStore(endedVisits)
  const mine = data.visits.filter((visit) => visit.me)
  useAttendance(mine)
  const [first] = mine
  return (
    <>
      {(first || ended.length > 0) && (
        <section className={css.bar} aria-label={t.label} data-narrow={narrow || undefined}>
          {ended.map((one) => (
            <EndedRow key={one.visit.sessionId} ended={one} />
          ))}
          {first && mine.length === 1 && (
            <VisitRow visit={first} holder={data.controllers[first.machineId]} narrow={narrow} />
          )}
          {first && mine.length > 1 && <Several visits={mine} live={data} narrow={narrow} />}
        </section>
      )}
      {createPortal(
        <div className={askCss.asks}>
          <ControlReleases visits={mine} />
          <ControlAsks live={data} />
        </div>,
        document.body,
      )}
    </>
  )
}

/** Reports over the push that a bar of these visits is shown. */
function useAttendance(visits: readonly LiveVisit[]): void {
  const client = useQueryClient()
  const ids = visits.map((visit) => visit.sessionId).join()
  useEffect(() => {
    const attended = ids ? ids.split(',').map(Number) : []
    const leaves = attended.map((sessionId) => push.attend(sessionId))
    // Visits listed before anyone attended them would count down to an end that does not come.
    for (const sessionId of attended) updateVisit(client, sessionId, { idleAt: null })
    return () => {
      for (const leave of leaves) leave()
    }
  }, [ids, client])
}

function Several({
  visits,
  live,
  narrow,
}: {
  visits: readonly LiveVisit[]
  live: LiveVisits
  narrow: boolean
}) {
  const t = useText().visits.bar
  const soonest = visits.reduce((a, b) => (endOf(b).at < endOf(a).at ? b : a))
  return (
    <div className={css.row}>
      <Popover
        placement="top start"
        label={t.label}
        className={css.list}
        trigger={
          <button type="button" className={css.summary}>
            <Icon path={visitIcons.enter} />
            <b>{t.several(visits.length)}</b>
            <Text grows tone="soft" cut>
              {visits
                .map((visit) => visit.machineName)
                .filter(Boolean)
                .join(' · ')}
            </Text>
            <TimeLeft visit={soonest} short={narrow} />
            <Icon name="chevronUp" size={14} />
            <span className="sr-only">{t.openList}</span>
          </button>
        }
      >
        <ul>
          {visits.map((visit) => (
            <li key={visit.sessionId}>
              <VisitRow visit={visit} holder={live.controllers[visit.machineId]} narrow={narrow} />
            </li>
          ))}
        </ul>
      </Popover>
    </div>
  )
}

/** Reasons for an end after which the visitor cannot return. */
const closed: ReadonlySet<visits.VisitEndReason> = new Set(['rightLost', 'visitTimeOver', 'cloudOff'])

/** A visit that ended without one's doing: why, and the way back in. */
function EndedRow({ ended: { visit, reason } }: { ended: EndedVisit }) {
  const { bar: t, reasons, enterShort, enterOf } = useText().visits
  return (
    <div className={css.row} role="status">
      <Row gap={10} grows tone="soft" className={css.words}>
        <Icon name="info" />
        <Row as="span" gap="0 10" align="stretch" wraps shrinks className={`${css.ended} cut`}>
          <b>{t.ended(visit.machineName)}</b>
          {reason && <span>{reasons[reason]}</span>}
        </Row>
      </Row>
      <Row gap={6} fixed>
        {visit.kind === 'page' && !(reason && closed.has(reason)) && (
          <LinkButton
            size="small"
            href={enterAddress(visit.machineId, visit.target)}
            target="_blank"
            rel="noopener"
            aria-label={enterOf(visit.machineName)}
            onClick={() => dismissEnded(visit.sessionId)}
          >
            {enterShort}
          </LinkButton>
        )}
        <IconButton
          icon="close"
          size="small"
          label={t.dismiss}
          onClick={() => dismissEnded(visit.sessionId)}
        />
      </Row>
    </div>
  )
}
