import { access } from '@busbar/contract'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import css from '../../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { accessKey } from '../../access/access-queries.ts'
import { findTimeProblem, type TimeChoice, toEnd } from '../../access/visit-time.ts'
import { VisitTimeField } from '../../access/visit-time-field.tsx'
import { VisitTimeText } from '../../access/visit-time-text.tsx'
import { describeNewEnd, type VisitTime } from './use-more-time.ts'

interface MoreTimeDialogProps {
  machineId: number
  visitor: VisitTime
  onClose: () => void
}

/** Changes the end of a visitor's time. */
export function MoreTimeDialog({ machineId, visitor, onClose }: MoreTimeDialogProps) {
  const { access: t, visits } = useText()
  const form = useForm({
    route: access.setVisitTime,
    initial: { visitTime: { preset: '1h', customAt: '' } as TimeChoice },
    check: ({ visitTime }) => {
      const problem = findTimeProblem(visitTime, Date.now())
      return { visitTime: problem && t.add.problems[problem] }
    },
    send: async (values) => {
      const visitTime = toEnd(values.visitTime, Date.now())
      await call(access.setVisitTime, { visitTimeId: visitor.visitTimeId, visitTime })
      return visitTime
    },
    failed: visits.pane.extendFailed,
    done: (visitTime) => describeNewEnd(visitor, visitTime),
    touched: [accessKey(machineId)],
    onSent: onClose,
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
        <VisitTimeText visitTime={visitor.visitTime} />
      </Row>
      <VisitTimeField {...form.field('visitTime')} />
    </FormDialog>
  )
}
