import { ApiError, visits } from '@busbar/contract'
import { useText } from '../../../shared/i18n/index.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { useEndVisit } from '../visit-actions.ts'
import type { LiveVisit } from '../visit-state.ts'

interface EndVisitDialogProps {
  visit: LiveVisit
  machineName: string
  onClose: () => void
}

/** Ends another person's visit after a confirmation, with a note. */
export function EndVisitDialog({ visit, machineName, onClose }: EndVisitDialogProps) {
  const t = useText().visits.pane
  const end = useEndVisit({ inForm: true })
  const form = useForm({
    route: visits.endVisit,
    initial: { reason: '' },
    send: ({ reason }) => end.mutateAsync({ ...visit, note: reason.trim() }),
    onSent: onClose,
    onRefused: (error) => error instanceof ApiError && error.is('404') && onClose(),
  })
  return (
    <FormDialog
      title={t.confirmTitle(visit.user)}
      submit={t.end}
      danger
      width={440}
      form={form}
      onClose={onClose}
    >
      <p>{t.confirmBody(visit.user, machineName)}</p>
      <TextField label={t.note} autoFocus autoComplete="off" {...form.text('reason')} />
    </FormDialog>
  )
}
