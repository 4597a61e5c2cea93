import { type AnswerOf, limits, operator } from '@busbar/contract'
import { useState } from 'react'
import { MachinePicture } from '../../entities/machine/machine-picture.tsx'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Box } from '../../shared/ui/layout/layout.tsx'
import form from './form.module.css'
import css from './machine-types-section.module.css'
import { useOperatorText } from './operator-text.ts'

/** Shows the type of a machine code, and the rule that decided it. */
export function MachineTypeProbe({ onClose }: { onClose: () => void }) {
  const t = useOperatorText().machineTypes
  const { app } = useText()
  const lang = useLang()
  const [answer, setAnswer] = useState<AnswerOf<typeof operator.findMachineType>>()
  const ask = useForm({
    route: operator.findMachineType,
    initial: { code: '' },
    // The console gets the rules only of calls that change something, and this one reads.
    check: ({ code }) => ({
      code: /^[0-9]+$/.test(code) && code.length === limits.machineCodeDigits ? undefined : t.probeWrong,
    }),
    send: ({ code }) => call(operator.findMachineType, { code }),
    onSent: setAnswer,
  })
  return (
    <FormDialog
      title={t.probeTitle}
      width={480}
      submit={t.ask}
      cancel={app.close}
      form={ask}
      onClose={onClose}
    >
      <TextField
        label={t.probeCode}
        autoFocus
        autoComplete="off"
        inputMode="numeric"
        spellCheck={false}
        {...ask.text('code')}
        onChange={(next) => {
          ask.set('code', next.replace(/\s/g, ''))
          setAnswer(undefined)
        }}
      />
      {answer && (
        <div className={css.preview} role="status">
          {answer.machineType && <MachinePicture look={answer.machineType} size="pane" />}
          <Box grows>
            <b>{answer.machineType?.name[lang] ?? t.none}</b>
            {answer.by && <p>{t.by[answer.by]}</p>}
            <p className={form.hint}>{answer.registered ? t.registered(answer.saysType) : t.unregistered}</p>
          </Box>
        </div>
      )}
    </FormDialog>
  )
}
