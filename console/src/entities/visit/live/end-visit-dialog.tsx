import { limits, textWidth } from '@busbar/contract'
import { type FormEvent, useId, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import css from '../pane-visits.module.css'
import { useEndVisit } from '../visit-actions.ts'
import type { LiveVisit } from '../visit-state.ts'

interface EndVisitDialogProps {
  visit: LiveVisit
  machineName: string
  onClose: () => void
}

/** Ends somebody's visit, once it was asked, with a word why. */
export function EndVisitDialog({ visit, machineName, onClose }: EndVisitDialogProps) {
  const { app, visits } = useText()
  const t = visits.pane
  const formId = useId()
  const end = useEndVisit()
  const [note, setNote] = useState('')
  const isTooLong = textWidth(note.trim()) > limits.visitEndNoteMax

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isTooLong) end.mutate({ ...visit, note: note.trim() }, { onSettled: onClose })
  }

  return (
    <Dialog
      title={t.confirmTitle(visit.user)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="danger" type="submit" form={formId} busy={end.isPending}>
            {t.end}
          </Button>
        </>
      }
    >
      <form id={formId} className={css.form} noValidate onSubmit={submit}>
        <p>{t.confirmBody(visit.user, machineName)}</p>
        <TextField
          label={t.note}
          value={note}
          autoFocus
          autoComplete="off"
          error={isTooLong ? t.noteTooLong(limits.visitEndNoteMax) : undefined}
          onChange={setNote}
        />
      </form>
    </Dialog>
  )
}
