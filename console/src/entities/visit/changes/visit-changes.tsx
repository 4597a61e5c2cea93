import type { visits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatNumber } from '../../../shared/i18n/index.ts'
import { Note, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { PaneFailed } from '../pane-failed.tsx'
import { ValueChange } from '../value-change.tsx'
import { visitChangesQuery } from '../visit-queries.ts'
import { ChangeRows } from './change-rows.tsx'
import { useChangesText } from './changes-text.ts'
import { Disclosure } from './disclosure.tsx'

interface VisitChangesProps {
  machineId: number
  sessionId: number
}

/** The record of a visit: the values that its person left different, by which way, and apart those that nobody wrote. */
export function VisitChanges({ machineId, sessionId }: VisitChangesProps) {
  const t = useChangesText()
  const { data, isError, refetch } = useQuery(visitChangesQuery(machineId, sessionId))
  if (!data) return isError ? <PaneFailed onRetry={() => void refetch()} /> : <Skeleton height={40} />
  const { state, changes, drifts, revision, isCut } = data
  if (state === 'none') return <Note>{t.never}</Note>
  return (
    <Stack gap={8}>
      {(state === 'settling' || (state === 'open' && changes.length > 0)) && (
        <Note role="status">{t[state]}</Note>
      )}
      {changes.length > 0 ? (
        <ChangeRows machineId={machineId} sessionId={sessionId} changes={changes} />
      ) : (
        state !== 'settling' && <Note>{state === 'done' ? t.none : t.noneYet}</Note>
      )}
      {revision && <Text as="p">{t.revision(revision.from, revision.to)}</Text>}
      {drifts.length > 0 && <Drifts drifts={drifts} />}
      {isCut && (
        <Text as="p" tone="warn">
          {t.cut}
        </Text>
      )}
    </Stack>
  )
}

function Drifts({ drifts }: { drifts: readonly visits.VisitDrift[] }) {
  const t = useChangesText()
  const id = useId()
  const [isOpen, open] = useState(false)
  return (
    <>
      <Row tone="quiet" size={12}>
        <Disclosure
          label={t.drifts(formatNumber(drifts.length))}
          isOpen={isOpen}
          controls={id}
          onToggle={() => open(!isOpen)}
        />
      </Row>
      {isOpen && (
        <Stack id={id} gap={8}>
          <Note>{t.driftsHint}</Note>
          <ul>
            {drifts.map(({ tagId, tag, from, to }) => (
              <Row key={tagId} as="li" gap="0 16" justify="between" align="baseline" wraps leading={20}>
                <Text breaks shrinks>
                  {tag}
                </Text>
                <ValueChange from={from} to={to} />
              </Row>
            ))}
          </ul>
        </Stack>
      )}
    </>
  )
}
