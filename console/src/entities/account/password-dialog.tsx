import { type FormEvent, useId, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import form from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'

interface PasswordDialogProps {
  /** What it is for, and what happens with it. */
  words: { readonly title: string; readonly body: string; readonly password: string; readonly submit: string }
  /** Said where nothing was entered. */
  missing: string
  /** Whose password it is: the machine's is nothing for a password store. */
  autoComplete: 'current-password' | 'one-time-code'
  maxLength?: number
  /** Takes the password; throws where it is refused. */
  onSubmit: (password: string) => Promise<void>
  /** Why it was refused, in words for the person. */
  explain: (failure: unknown) => string
  onClose: () => void
}

/** Asks for one password; what is wrong with it stands beside the field. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { words, missing, autoComplete, maxLength, onSubmit, explain, onClose } = props
  const { app } = useText()
  const formId = useId()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!password) return setError(missing)
    setBusy(true)
    try {
      await onSubmit(password)
    } catch (failure) {
      setError(explain(failure))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={isBusy}>
            {words.submit}
          </Button>
        </>
      }
    >
      <form id={formId} className={form.form} noValidate onSubmit={(event) => void submit(event)}>
        <p className={form.body}>{words.body}</p>
        <TextField
          label={words.password}
          type="password"
          autoFocus
          autoComplete={autoComplete}
          {...(maxLength ? { maxLength } : {})}
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
