import { ApiError, limits } from '@busbar/contract'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { explainStep } from '../../entities/account/code-calls.ts'
import { FailureNote } from '../../entities/account/failure-note.tsx'
import { findPasswordProblem } from '../../entities/account/person-rules.ts'
import css from '../../entities/account/steps.module.css'
import { useText } from '../../shared/i18n/language.ts'
import { Button } from '../../shared/ui/button.tsx'
import { PasswordField } from '../../shared/ui/fields/password-field.tsx'

interface NewPasswordFormProps {
  /** Sets the password; throws ApiError if it is refused. */
  onPassword: (password: string) => Promise<void>
  /** The ticket of the checked code has expired. */
  onExpired: () => void
  children?: ReactNode
}

type Errors = Partial<Record<'password' | 'repeat' | 'form', string>>

/** A new password, twice. */
export function NewPasswordForm({ onPassword, onExpired, children }: NewPasswordFormProps) {
  const t = useText().joining
  const [password, setPassword] = useState('')
  const [repeat, setRepeat] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  function show(found: Errors) {
    setErrors(found)
    const first = (['password', 'repeat'] as const).find((field) => found[field])
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const problem = findPasswordProblem(password, t.person)
    if (problem) return show({ password: problem })
    if (password !== repeat) return show({ repeat: t.person.passwordsDiffer })
    setBusy(true)
    try {
      await onPassword(password)
    } catch (error) {
      if (error instanceof ApiError && error.is('TICKET_NEEDED')) return onExpired()
      const isCommon = error instanceof ApiError && error.is('PASSWORD_COMMON')
      show(isCommon ? { password: t.person.passwordCommon } : { form: explainStep(error, t) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form ref={form} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      {children}
      <PasswordField
        label={t.person.newPassword}
        name="password"
        autoComplete="new-password"
        autoFocus
        value={password}
        error={errors.password}
        onChange={(typed) => {
          setPassword(typed)
          setErrors({})
        }}
      />
      {!errors.password && (
        <p className={css.hint}>{t.person.passwordHint(limits.passwordMin, limits.passwordMax)}</p>
      )}
      <PasswordField
        label={t.person.repeat}
        name="repeat"
        autoComplete="new-password"
        value={repeat}
        error={errors.repeat}
        onChange={(typed) => {
          setRepeat(typed)
          setErrors({})
        }}
      />
      <FailureNote text={errors.form} />
      <Button kind="primary" size="large" type="submit" busy={isBusy} className={css.submit}>
        {t.recover.save}
      </Button>
    </form>
  )
}
