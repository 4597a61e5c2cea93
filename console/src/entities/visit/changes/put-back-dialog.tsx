import type { visits } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { formatNumber } from '../../../shared/i18n/index.ts'
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx'
import { Note, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { ValueChange } from '../value-change.tsx'
import { useChangesText } from './changes-text.ts'

interface PutBackDialogProps {
  machineId: number
  /** Each has a variable. */
  changes: readonly visits.VisitChange[]
  putBack: (tagIds: readonly number[]) => Promise<void>
  onClose: () => void
}

/** Names the values before they are written. */
export function PutBackDialog({ machineId, changes, putBack, onClose }: PutBackDialogProps) {
  const t = useChangesText()
  const client = useQueryClient()
  return (
    <ConfirmDialog
      confirmation={{
        title: t.putBackTitle(formatNumber(changes.length)),
        body: (
          <Stack gap={12}>
            <Stack as="ul" gap={4}>
              {changes.map(({ tagId, tag, from, to }) => (
                <Row key={tagId} as="li" gap="0 16" justify="between" align="baseline" wraps>
                  <Text breaks shrinks tone="text">
                    {tag}
                  </Text>
                  <ValueChange from={to} to={from} />
                </Row>
              ))}
            </Stack>
            <Note>{t.putBackHint}</Note>
          </Stack>
        ),
        action: t.putBack,
        danger: false,
        call: () => putBack(changes.flatMap(({ tagId }) => tagId ?? [])),
      }}
      onClose={onClose}
      onSettled={() => client.invalidateQueries({ queryKey: ['visits', 'writes', machineId] })}
    />
  )
}
