import { ApiError, access, errorText, machines } from '@busbar/contract'
import { type FormEvent, useId, useState } from 'react'
import { call } from '../../api/client.ts'
import { useLang, useText } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { showNotice } from '../../ui/notice-store.ts'
import { useAdministration } from './administration.ts'
import form from './form.module.css'
import css from './settings.module.css'
import { Setting } from './settings-section.tsx'

const { akeyAndBkey, akeyAndPassword } = machines.checkTypes

/** Who approves applications. The way of the password asks for it, so that nobody opens what they could not. */
export function AuditSetting() {
  const { machine, run } = useAdministration()
  const t = useText().access.settings
  const name = useId()
  const [isAsking, setAsking] = useState(false)
  const chosen = machine.machine_check_type

  function choose(checkType: number) {
    if (checkType === chosen) return
    if (checkType === akeyAndPassword) return setAsking(true)
    void run({
      call: () =>
        call(access.updateMachineInfo, { machineCode: machine.machine_code, checkType: akeyAndBkey }),
      done: t.auditDone,
    })
  }

  const modes = [
    { value: akeyAndBkey, label: t.auditModes.keys, hint: t.auditModes.keysHint },
    { value: akeyAndPassword, label: t.auditModes.password, hint: t.auditModes.passwordHint },
  ]
  return (
    <Setting name={t.audit} hint={t.auditHint}>
      <fieldset className={css.modes} aria-label={t.audit}>
        {modes.map(({ value, label, hint }) => (
          <label key={value} className={css.mode}>
            <input type="radio" name={name} checked={chosen === value} onChange={() => choose(value)} />
            <span>{label}</span>
            <span className={css.modeHint}>{hint}</span>
          </label>
        ))}
      </fieldset>
      {isAsking && <AuditDialog onClose={() => setAsking(false)} />}
    </Setting>
  )
}

function AuditDialog({ onClose }: { onClose: () => void }) {
  const { machine, refresh } = useAdministration()
  const { access: words, app } = useText()
  const t = words.settings.auditDialog
  const lang = useLang()
  const formId = useId()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!password) return setError(t.passwordMissing)
    setBusy(true)
    try {
      await call(access.updateMachineInfo, {
        machineCode: machine.machine_code,
        checkType: akeyAndPassword,
        password,
      })
    } catch (failure) {
      const isRule = failure instanceof ApiError && failure.http === 200
      setError((isRule && errorText(failure.code, lang)) || words.settings.failed)
      setBusy(false)
      return
    }
    showNotice(words.settings.auditDone)
    onClose()
    await refresh()
  }

  return (
    <Dialog
      title={t.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={isBusy}>
            {t.submit}
          </Button>
        </>
      }
    >
      <form id={formId} className={form.form} noValidate onSubmit={(event) => void submit(event)}>
        <p className={form.body}>{t.body}</p>
        <TextField
          label={t.password}
          type="password"
          autoFocus
          // It is the machine's, not the person's: nothing for a password store.
          autoComplete="one-time-code"
          value={password}
          error={error}
          onChange={(next) => {
            setPassword(next)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
