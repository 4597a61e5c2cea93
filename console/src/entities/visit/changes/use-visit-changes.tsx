import type { visits } from '@busbar/contract'
import { type ReactNode, useId, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Box } from '../../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { Disclosure } from './disclosure.tsx'

const VisitChanges = lazyPart(() => import('./visit-changes.tsx').then((module) => module.VisitChanges))

interface RecordedVisit {
  readonly machineId: number
  readonly sessionId: number
  /** The name of its person. */
  readonly user: string
  readonly mode: visits.VisitMode
}

/** The button that opens the record of a visit's changes, and the record; a visit that only looked has neither. */
export function useVisitChanges({ machineId, sessionId, user, mode }: RecordedVisit): {
  readonly toggle: ReactNode
  readonly record: ReactNode
} {
  const t = useText().visits.pane
  const id = useId()
  const [isOpen, open] = useState(false)
  if (mode === 'ro') return { toggle: null, record: null }
  return {
    toggle: (
      <Disclosure
        label={t.changes}
        name={t.changesOf(user)}
        isOpen={isOpen}
        controls={id}
        onToggle={() => open(!isOpen)}
      />
    ),
    record: isOpen && (
      <Box id={id} wide surface="frame" pad="8 12">
        <VisitChanges machineId={machineId} sessionId={sessionId} />
      </Box>
    ),
  }
}
