import { enterprises, limits } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { DateRangePicker } from '../../shared/ui/date/date-range-picker.tsx'
import type { TimeSpan } from '../../shared/ui/date/presets.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../shared/ui/dialogs/form-dialog.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { ChecksField } from '../../shared/ui/fields/choice-fields.tsx'
import { findLengthProblem } from '../../shared/ui/text-problems.ts'
import { useAct } from '../../shared/ui/use-act.ts'
import { ZoneNote } from '../../shared/ui/zone-note.tsx'
import { spaceKey } from '../enterprise/enterprise-queries.ts'
import { useMachineCheck } from './code/machine-check.tsx'
import { parseCodeInput } from './code/machine-code.ts'
import { MachineCodeField } from './code/machine-code-field.tsx'

/** The usual length of a service engineer's visit. */
const usualSpanMs = 4 * 3_600_000

/** Asks a machine's owner to be let in for a while: from now on, if nothing else is said. */
export function MaintenanceRequestDialog({ eid, onClose }: { eid: number; onClose: () => void }) {
  const {
    app,
    enterprises: { maintenance: t },
  } = useText()
  const [code, setCode] = useState('')
  const [span, setSpan] = useState<TimeSpan | null>(() => ({
    from: Date.now(),
    to: Date.now() + usualSpanMs,
  }))
  const [scopes, setScopes] = useState<enterprises.MaintenanceScope[]>(['view'])
  const [reason, setReason] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [isTried, setTried] = useState(false)
  const entered = parseCodeInput(code)
  const check = useMachineCheck(code)
  const ask = useAct({
    call: () =>
      call(enterprises.requestMaintenance, {
        eid,
        machineCode: entered.code,
        start: span?.from ?? Number.NaN,
        stop: span?.to ?? Number.NaN,
        scopes,
        reason: reason.trim(),
      }),
    done: t.sent,
    touched: [spaceKey(eid)],
    onDone: onClose,
    onRefused: setRefusal,
  })

  const problems = {
    code: entered.problem === null ? undefined : t.codeMissing,
    span: span ? undefined : t.timeMissing,
    scopes: scopes.length > 0 ? undefined : t.scopeMissing,
    reason: reason.trim() ? findLengthProblem(reason, limits.maintenanceReasonMax, app) : t.reasonMissing,
  }
  // Told once sending was tried; each goes away as it is put right.
  const shown: Partial<typeof problems> = isTried ? problems : {}

  function submit() {
    setTried(true)
    setRefusal(undefined)
    if (Object.values(problems).every((problem) => problem === undefined)) ask.mutate()
  }

  return (
    <FormDialog
      title={t.ask}
      submit={t.send}
      busy={ask.isPending}
      refusal={refusal}
      onClose={onClose}
      onSubmit={submit}
    >
      <MachineCodeField
        label={t.code}
        value={code}
        purpose="maintained"
        error={shown.code}
        check={check}
        onChange={setCode}
        hint={<p className={css.hint}>{t.askHint}</p>}
      />
      <DateRangePicker label={t.time} size="large" value={span} error={shown.span} onChange={setSpan} />
      <ZoneNote className={css.hint} />
      <ChecksField
        label={t.scopes}
        values={scopes}
        error={shown.scopes}
        onChange={setScopes}
        options={enterprises.maintenanceScopes.map((value) => ({ value, label: t.scopeNames[value] }))}
      />
      <TextField label={t.reason} name="reason" value={reason} error={shown.reason} onChange={setReason} />
    </FormDialog>
  )
}
