import { ApiError, access, errorText, limits } from '@busbar/contract'
import { type FormEvent, useId, useState } from 'react'
import { useProof } from '../../entities/account/use-proof.tsx'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { useAdministration } from './administration.ts'

const { machinePasswordMin: min, machinePasswordMax: max } = limits

/** Another machine password, once the caller has proved their own. */
export function MachinePasswordDialog({ onClose }: { onClose: () => void }) {
  const { machineId, machine, refresh } = useAdministration()
  const { access: words, app } = useText()
  const t = words.settings.passwordDialog
  const lang = useLang()
  const formId = useId()
  const { proved, dialog } = useProof()
  const [password, setPassword] = useState('')
  const [isShown, show] = useState(false)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (password.length < min) return setError(t.tooShort(min))
    setBusy(true)
    try {
      const answer = await proved(() => call(access.setMachinePassword, { machineID: machineId, password }))
      setBusy(false)
      if (answer === undefined) return
    } catch (failure) {
      setError(explain(failure))
      setBusy(false)
      return
    }
    showToast(t.done)
    onClose()
    await refresh()
  }

  function explain(failure: unknown): string {
    if (!(failure instanceof ApiError)) return words.settings.failed
    if (failure.field === 'password') return t.tooCommon
    return (failure.http === 200 && errorText(failure.code, lang)) || words.settings.failed
  }

  return (
    <Dialog
      title={t.title(machine.name)}
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
      <form id={formId} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <div>
          <TextField
            label={t.field}
            type={isShown ? 'text' : 'password'}
            autoFocus
            // It is the machine's, not the person's: nothing for a password store.
            autoComplete="one-time-code"
            spellCheck={false}
            maxLength={max}
            value={password}
            error={error}
            onChange={(next) => {
              setPassword(next)
              setError(undefined)
            }}
            after={
              <IconButton
                icon={isShown ? 'eyeOff' : 'eye'}
                label={isShown ? t.hide : t.show}
                className={css.eye}
                onClick={() => show(!isShown)}
              />
            }
          />
          <p className={css.hint}>{t.hint(min, max)}</p>
        </div>
      </form>
      {dialog}
    </Dialog>
  )
}
