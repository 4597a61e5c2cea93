import { type FormEvent, useId, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import form from '../../../shared/ui/dialogs/form.module.css'
import { findTimeProblem, type TimeChoice, toEnd } from '../../access/visit-time.ts'
import { VisitTimeField } from '../../access/visit-time-field.tsx'
import { VisitTimeText } from '../../access/visit-time-text.tsx'
import { useMoreTime, type VisitTime } from './use-more-time.ts'

interface MoreTimeDialogProps {
  machineId: number
  visitor: VisitTime
  onClose: () => void
}

/** Gives somebody who is inside another end of their time. */
export function MoreTimeDialog({ machineId, visitor, onClose }: MoreTimeDialogProps) {
  const { access: t, app } = useText()
  const formId = useId()
  const [time, setTime] = useState<TimeChoice>({ preset: '1h', customAt: '' })
  const [error, setError] = useState<string>()
  const more = useMoreTime(machineId)

  function submit(event: FormEvent) {
    event.preventDefault()
    const now = Date.now()
    const problem = findTimeProblem(time, now)
    if (problem) setError(t.add.problems[problem])
    else more.mutate({ visitor, until: toEnd(time, now) }, { onSuccess: onClose })
  }

  return (
    <Dialog
      title={t.changeTime.title(visitor.name)}
      width={520}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={more.isPending}>
            {t.changeTime.submit}
          </Button>
        </>
      }
    >
      <form id={formId} className={form.form} noValidate onSubmit={submit}>
        <p className={form.now}>
          <span>{t.changeTime.now}</span>
          <VisitTimeText visitTime={visitor.visitTime} />
        </p>
        <VisitTimeField
          value={time}
          error={error}
          onChange={(next) => {
            setTime(next)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
