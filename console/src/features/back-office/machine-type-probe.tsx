import { limits, operator } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { MachinePicture } from '../../entities/machine/machine-picture.tsx'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { explain } from './act-dialog.tsx'
import form from './form.module.css'
import css from './machine-types-section.module.css'
import { useOperatorText } from './operator-text.ts'

/** Shows the type of a machine code, and the rule that decided it. */
export function MachineTypeProbe({ onClose }: { onClose: () => void }) {
  const all = useOperatorText()
  const t = all.machineTypes
  const { app } = useText()
  const lang = useLang()
  const id = useId()
  const [code, setCode] = useState('')
  const [isWrong, setWrong] = useState(false)
  const ask = useMutation({
    mutationFn: () => call(operator.findMachineType, { code }, { noNotice: true }),
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    const isCode = /^[0-9]+$/.test(code) && code.length === limits.machineCodeDigits
    setWrong(!isCode)
    if (isCode) ask.mutate()
  }

  const answer = ask.data
  return (
    <Dialog
      title={t.probeTitle}
      width={480}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.close}</Button>
          <Button kind="primary" type="submit" form={id} busy={ask.isPending}>
            {t.ask}
          </Button>
        </>
      }
    >
      <form id={id} className={form.form} noValidate onSubmit={submit}>
        <TextField
          label={t.probeCode}
          autoFocus
          autoComplete="off"
          inputMode="numeric"
          spellCheck={false}
          value={code}
          error={isWrong ? t.probeWrong : undefined}
          onChange={(next) => {
            setCode(next.replace(/\s/g, ''))
            setWrong(false)
            ask.reset()
          }}
        />
        {answer && (
          <div className={css.preview} role="status">
            {answer.machineType && <MachinePicture look={answer.machineType} size="pane" />}
            <div className={css.words}>
              <b>{answer.machineType?.name[lang] ?? t.none}</b>
              {answer.by && <p>{t.by[answer.by]}</p>}
              <p className={form.hint}>
                {answer.registered ? t.registered(answer.saysType) : t.unregistered}
              </p>
            </div>
          </div>
        )}
        {ask.isError && (
          <p role="alert" className={form.failed}>
            {explain(ask.error, lang) ?? all.refusedByPlatform}
          </p>
        )}
      </form>
    </Dialog>
  )
}
