import { access } from '@busbar/contract'
import { type FormEvent, useId, useState } from 'react'
import { findTimeLack } from '../../entities/access/may-give.ts'
import {
  canRestore,
  findTimeProblem,
  isOver,
  type TimeChoice,
  toEnd,
} from '../../entities/access/visit-time.ts'
import { VisitTimeField } from '../../entities/access/visit-time-field.tsx'
import { formatLeft, VisitTimeText } from '../../entities/access/visit-time-text.tsx'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import css from '../../shared/ui/dialogs/form.module.css'
import { useAdministration } from './administration.ts'

interface VisitTimeDialogProps {
  visitor: Pick<access.Visitor, 'name' | 'visitTime' | 'visitTimeId' | 'limitRead' | 'limitAlarm'>
  onClose: () => void
}

/** Gives a visitor another end; the former one comes back by undoing it. */
export function VisitTimeDialog({ visitor, onClose }: VisitTimeDialogProps) {
  const { machineId, limits, run } = useAdministration()
  const { access: t, app } = useText()
  const formId = useId()
  const [time, setTime] = useState<TimeChoice>({ preset: '8h', customAt: '' })
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { visitTimeId, visitTime: former } = visitor

  /** The way back: the former end where it is still to come, over where it was over. */
  function way(now: number): (() => Promise<unknown>) | undefined {
    if (isOver(former, now))
      return () => call(access.endVisitTime, { visitAlidTimeID: visitTimeId, machineID: machineId })
    return canRestore(former, now)
      ? () => call(access.setVisitTime, { visitTimeId, visitTime: former })
      : undefined
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const now = Date.now()
    const problem = findTimeProblem(time, now)
    if (problem) return setError(t.add.problems[problem])
    const visitTime = toEnd(time, now)
    const lack = findTimeLack(limits, visitor, visitTime)
    if (lack) return setError(t.lacks.time[lack])
    const undo = findTimeLack(limits, { ...visitor, visitTime }, former) ? undefined : way(now)
    setBusy(true)
    const isDone = await run({
      call: () => call(access.setVisitTime, { visitTimeId, visitTime }),
      done: t.undo.time(visitor.name, formatLeft(visitTime, now, t.time)),
      ...(undo ? { undo } : {}),
    })
    setBusy(false)
    if (isDone) onClose()
    else setError(t.changeTime.failed)
  }

  return (
    <Dialog
      title={t.changeTime.title(visitor.name)}
      width={520}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={isBusy}>
            {t.changeTime.submit}
          </Button>
        </>
      }
    >
      <form id={formId} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <p className={css.now}>
          <span>{t.changeTime.now}</span>
          <VisitTimeText visitTime={former} />
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
