import { access } from '@busbar/contract'
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
import css from '../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Row } from '../../shared/ui/layout/layout.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { useAdministration } from './administration.ts'
import { takeBack } from './use-run.ts'

interface VisitTimeDialogProps {
  visitor: Pick<access.Visitor, 'name' | 'visitTime' | 'visitTimeId' | 'limitRead' | 'limitAlarm'>
  onClose: () => void
}

/** Gives a visitor another end; an undo restores the former one. */
export function VisitTimeDialog({ visitor, onClose }: VisitTimeDialogProps) {
  const { machineId, limits, refresh } = useAdministration()
  const { access: t } = useText()
  const { visitTimeId, visitTime: former } = visitor

  /** The undo: the former end if it is in the future, over if it was over. */
  function way(now: number): (() => Promise<unknown>) | undefined {
    if (isOver(former, now))
      return () => call(access.endVisitTime, { visitAlidTimeID: visitTimeId, machineID: machineId })
    return canRestore(former, now)
      ? () => call(access.setVisitTime, { visitTimeId, visitTime: former })
      : undefined
  }

  const form = useForm({
    route: access.setVisitTime,
    initial: { visitTime: { preset: '8h', customAt: '' } as TimeChoice },
    check: ({ visitTime }) => {
      const now = Date.now()
      const problem = findTimeProblem(visitTime, now)
      if (problem) return { visitTime: t.add.problems[problem] }
      const lack = findTimeLack(limits, visitor, toEnd(visitTime, now))
      return { visitTime: lack && t.lacks.time[lack] }
    },
    send: async (values) => {
      const visitTime = toEnd(values.visitTime, Date.now())
      await call(access.setVisitTime, { visitTimeId, visitTime })
      return visitTime
    },
    failed: t.changeTime.failed,
    onSent: (visitTime) => {
      const now = Date.now()
      const undo = findTimeLack(limits, { ...visitor, visitTime }, former) ? undefined : way(now)
      const done = t.undo.time(visitor.name, formatLeft(visitTime, now, t.time))
      showToast(done, 'done', undo && (() => void takeBack(undo, refresh)))
      onClose()
      return refresh()
    },
  })

  return (
    <FormDialog
      title={t.changeTime.title(visitor.name)}
      submit={t.changeTime.submit}
      form={form}
      onClose={onClose}
    >
      <Row as="p" gap={10} align="baseline" tone="quiet" size={12} className={css.now}>
        <span>{t.changeTime.now}</span>
        <VisitTimeText visitTime={former} />
      </Row>
      <VisitTimeField {...form.field('visitTime')} />
    </FormDialog>
  )
}
