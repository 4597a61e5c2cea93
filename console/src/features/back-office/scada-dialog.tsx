import { operator } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { formatExact, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import form from './form.module.css'
import { operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

interface ScadaDialogProps {
  row: operator.ScadaRow
  onClose: () => void
}

/** A request with its input, and its answer: to be written, or as it was sent. */
export function ScadaDialog({ row, onClose }: ScadaDialogProps) {
  const t = useOperatorText().scada
  const { app } = useText()
  if (row.answeredAt === null) return <AnswerDialog row={row} onClose={onClose} />
  return (
    <Dialog
      title={t.dialogTitle(row.company)}
      width={560}
      onClose={onClose}
      actions={<Button onClick={onClose}>{app.close}</Button>}
    >
      <Stack gap={16}>
        <Facts row={row} />
        <dl className={form.facts}>
          <FactRow name={t.verdict} value={row.approved ? t.approved : t.refused} />
          <FactRow name={t.answer} value={row.answer} />
          <FactRow name={t.by(row.answeredBy)} value={formatExact(row.answeredAt)} />
        </dl>
      </Stack>
    </Dialog>
  )
}

type Verdict = 'approve' | 'refuse'

function AnswerDialog({ row, onClose }: ScadaDialogProps) {
  const t = useOperatorText().scada
  const answer = useForm({
    route: operator.answerScadaRequest,
    initial: { verdict: 'approve' as Verdict, answer: '' },
    words: { answer: { required: t.textMissing } },
    send: ({ verdict, answer: text }) =>
      call(operator.answerScadaRequest, {
        id: row.id,
        approved: verdict === 'approve',
        answer: text.trim(),
      }),
    done: t.sent(row.email),
    touched: [operatorKey],
    onSent: onClose,
  })
  return (
    <FormDialog
      title={t.dialogTitle(row.company)}
      width={560}
      submit={t.send}
      form={answer}
      onClose={onClose}
    >
      <Facts row={row} />
      <ToggleGroup
        label={t.verdict}
        className={form.start}
        options={[
          { value: 'approve', label: t.approve },
          { value: 'refuse', label: t.refuse },
        ]}
        value={answer.values.verdict}
        onChange={(verdict) => answer.set('verdict', verdict)}
      />
      <TextArea label={t.text} maxLength={operator.scadaAnswerCharactersMax} {...answer.text('answer')} />
    </FormDialog>
  )
}

function Facts({ row }: { row: operator.ScadaRow }) {
  const t = useOperatorText().scada
  const facts: [string, string][] = [
    [t.fields.ticket, row.ticketNo],
    [t.fields.phone, row.phone],
    [t.fields.email, row.email],
    [t.fields.area, row.area],
    [t.fields.purpose, t.purposes[row.purpose] ?? ''],
    [t.fields.project, row.project],
    [t.fields.came, formatExact(row.createdAt)],
  ]
  return (
    <dl className={form.facts}>
      {facts.map(([name, value]) => (
        <FactRow key={name} name={name} value={value} />
      ))}
    </dl>
  )
}

function FactRow({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}
