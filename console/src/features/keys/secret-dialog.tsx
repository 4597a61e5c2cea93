import { ApiError, access, errorText } from '@busbar/contract'
import { type FormEvent, useId, useState } from 'react'
import { useProof } from '../../entities/account/use-proof.tsx'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { useAdministration } from './administration.ts'

const confirmDigits = 4

/**
 * Renews what the machine signs in with. It cuts the machine off until its agent has the new one, so the machine is
 * named by its code; the secret is shown once.
 */
export function SecretDialog({ onClose }: { onClose: () => void }) {
  const { machineId, machine } = useAdministration()
  const { access: words, app } = useText()
  const t = words.settings.secretDialog
  const lang = useLang()
  const formId = useId()
  const { proved, dialog } = useProof()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [secret, setSecret] = useState<string>()
  const digits = machine.code.slice(-confirmDigits)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (typed.trim() !== digits) return setError(t.wrong)
    setBusy(true)
    try {
      const answer = await proved(() => call(access.resetSecret, { machineID: machineId }))
      if (answer) setSecret(answer.secret)
    } catch (failure) {
      const isRule = failure instanceof ApiError && failure.http === 200
      setError((isRule && errorText(failure.code, lang)) || words.settings.failed)
    }
    setBusy(false)
  }

  if (secret !== undefined) return <SecretShown secret={secret} onClose={onClose} />
  return (
    <Dialog
      title={t.title(machine.name)}
      width={480}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="danger" type="submit" form={formId} busy={isBusy}>
            {t.action}
          </Button>
        </>
      }
    >
      <form id={formId} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <p className={css.body}>{t.body}</p>
        <TextField
          label={t.confirm(digits)}
          autoFocus
          inputMode="numeric"
          autoComplete="off"
          maxLength={confirmDigits}
          value={typed}
          error={error}
          onChange={(next) => {
            setTyped(next)
            setError(undefined)
          }}
        />
      </form>
      {dialog}
    </Dialog>
  )
}

/** Once, and only answered on purpose: a press beside it must not lose it. */
function SecretShown({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { access: words, notices } = useText()
  const t = words.settings.secretDialog
  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
      showToast(notices.copied)
    } catch {
      // A page without https has no clipboard.
      showToast(notices.copyFailed, 'failure')
    }
  }
  return (
    <Dialog
      title={t.shownTitle}
      width={480}
      actions={
        <>
          <Button icon="copy" onClick={() => void copy()}>
            {t.copy}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {t.close}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <p className={css.body}>{t.shownBody}</p>
        <code className={css.secret}>{secret}</code>
      </div>
    </Dialog>
  )
}
