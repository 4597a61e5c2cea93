import { operator } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatExact, useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { explain } from './act-dialog.tsx'
import form from './form.module.css'
import { operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

/** A request as it was filled in, and its answer: to be written, or as it was sent. */
export function ScadaDialog({ row, onClose }: { row: operator.ScadaRow; onClose: () => void }) {
  const all = useOperatorText()
  const t = all.scada
  const { app } = useText()
  const lang = useLang()
  const queries = useQueryClient()
  const fieldId = useId()
  const [verdict, setVerdict] = useState<'approve' | 'refuse'>('approve')
  const [answer, setAnswer] = useState('')
  const [isMissing, setMissing] = useState(false)
  const send = useMutation({
    mutationFn: () =>
      call(
        operator.answerScadaRequest,
        { id: row.id, approved: verdict === 'approve', answer: answer.trim() },
        { noNotice: true },
      ),
    onSuccess: () => {
      showToast(t.sent(row.email))
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: operatorKey }),
  })
  const isOpen = row.answeredAt === null
  const facts: [string, string][] = [
    [t.fields.ticket, row.ticketNo],
    [t.fields.phone, row.phone],
    [t.fields.email, row.email],
    [t.fields.area, row.area],
    [t.fields.purpose, t.purposes[row.purpose] ?? ''],
    [t.fields.project, row.project],
    [t.fields.came, formatExact(row.createdAt)],
  ]

  function submit(): void {
    setMissing(answer.trim() === '')
    if (answer.trim() !== '') send.mutate()
  }

  return (
    <Dialog
      title={t.dialogTitle(row.company)}
      width={560}
      onClose={onClose}
      actions={
        isOpen ? (
          <>
            <Button onClick={onClose}>{app.cancel}</Button>
            <Button kind="primary" busy={send.isPending} onClick={submit}>
              {t.send}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{app.close}</Button>
        )
      }
    >
      <div className={form.form}>
        <dl className={form.facts}>
          {facts.map(([name, value]) => (
            <FactRow key={name} name={name} value={value} />
          ))}
        </dl>
        {isOpen ? (
          <>
            <ToggleGroup
              label={t.verdict}
              className={form.start}
              options={[
                { value: 'approve', label: t.approve },
                { value: 'refuse', label: t.refuse },
              ]}
              value={verdict}
              onChange={setVerdict}
            />
            <div className={form.field}>
              <label className={form.label} htmlFor={fieldId}>
                {t.text}
              </label>
              <textarea
                id={fieldId}
                className={form.area}
                value={answer}
                maxLength={operator.scadaAnswerCharactersMax}
                aria-invalid={isMissing || undefined}
                onChange={(event) => setAnswer(event.target.value)}
              />
              {isMissing && <p className={form.wrong}>{t.textMissing}</p>}
            </div>
          </>
        ) : (
          <dl className={form.facts}>
            <FactRow name={t.verdict} value={row.approved ? t.approved : t.refused} />
            <FactRow name={t.answer} value={row.answer} />
            <FactRow name={t.by(row.answeredBy)} value={formatExact(row.answeredAt ?? 0)} />
          </dl>
        )}
        {send.isError && (
          <p role="alert" className={form.failed}>
            {explain(send.error, lang) ?? all.refusedByPlatform}
          </p>
        )}
      </div>
    </Dialog>
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
