import { type FormEvent, useRef, useState } from 'react'
import {
  type AccountEntry,
  type AccountKind,
  findAccountError,
  firstAccountKind,
} from '../../entities/account/account-entry.ts'
import { AccountField } from '../../entities/account/account-field.tsx'
import {
  checkCode,
  explainStep,
  isAboutAccount,
  readWait,
  sendCode,
} from '../../entities/account/code-calls.ts'
import { CodeStep } from '../../entities/account/code-step.tsx'
import { rememberEntry } from '../../entities/account/enter.ts'
import { FailureNote } from '../../entities/account/failure-note.tsx'
import { StepFrame } from '../../entities/account/step-frame.tsx'
import css from '../../entities/account/steps.module.css'
import { useText } from '../../shared/i18n/language.ts'
import { goOutside } from '../../shared/session/outside-address.ts'
import { Button } from '../../shared/ui/button.tsx'
import { LoginLayout } from '../../shared/ui/outside/login-layout.tsx'
import { OutsideLink } from '../../shared/ui/outside/outside-link.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { resetPassword } from './reset-password.ts'

type Step = 'account' | 'code' | 'password'

/** From a forgotten password to a new one: the account, the code that was sent to it, the password twice. */
export function ForgottenPasswordPage() {
  const t = useText().joining
  const [step, setStep] = useState<Step>('account')
  const [entry, setEntry] = useState<AccountEntry>(() => ({
    kind: firstAccountKind(),
    countryCode: '86',
    name: '',
  }))
  const [retryAt, setRetryAt] = useState(0)
  const [failure, setFailure] = useState<string>()

  if (step === 'code') {
    return (
      <LoginLayout>
        <StepFrame title={t.codes.title}>
          <CodeStep
            entry={entry}
            purpose="resetPassword"
            retryAt={retryAt}
            unsure
            submit={t.codes.confirm}
            onCode={async (code) => {
              try {
                await checkCode(entry, 'resetPassword', code)
              } catch (error) {
                return explainStep(error, t)
              }
              setStep('password')
              return undefined
            }}
            onBack={() => setStep('account')}
          />
        </StepFrame>
      </LoginLayout>
    )
  }
  if (step === 'password') {
    return (
      <LoginLayout>
        <StepFrame title={t.recover.newTitle} lead={t.recover.newLead}>
          <NewPasswordForm
            onPassword={async (password) => {
              await resetPassword(entry, password)
              rememberEntry(entry)
              showToast(t.recover.done)
              goOutside('/login', { replace: true })
            }}
            onExpired={() => {
              setFailure(t.recover.expired)
              setStep('account')
            }}
          />
        </StepFrame>
      </LoginLayout>
    )
  }
  return (
    <LoginLayout>
      <StepFrame title={t.recover.title} lead={t.recover.lead}>
        <AccountStep
          entry={entry}
          failure={failure}
          onChange={(next) => {
            setEntry(next)
            setFailure(undefined)
          }}
          onSent={(at) => {
            setRetryAt(at)
            setStep('code')
          }}
        />
      </StepFrame>
    </LoginLayout>
  )
}

interface AccountStepProps {
  entry: AccountEntry
  failure: string | undefined
  onChange: (entry: AccountEntry) => void
  /** A code is on its way, or is still valid; with the instant of the next one. */
  onSent: (retryAt: number) => void
}

function AccountStep({ entry, failure, onChange, onSent }: AccountStepProps) {
  const { joining: t, login } = useText()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const field = useRef<HTMLInputElement>(null)

  function change(next: AccountEntry) {
    setError(undefined)
    setRefusal(undefined)
    onChange(next)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const problem = findAccountError(entry, login.errors)
    setError(problem)
    if (problem) return field.current?.focus()
    setBusy(true)
    try {
      onSent(Date.now() + (await sendCode(entry, 'resetPassword')) * 1_000)
    } catch (refused) {
      const text = explainStep(refused, t)
      if (isAboutAccount(refused) || readWait(refused) !== undefined) setError(text)
      else setRefusal(text)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <ToggleGroup<AccountKind>
          className={css.kinds}
          label={login.tabs.label}
          value={entry.kind}
          onChange={(kind) => change({ ...entry, kind })}
          options={[
            { value: 'phone', label: login.tabs.phone },
            { value: 'email', label: login.tabs.email },
          ]}
        />
        <AccountField ref={field} entry={entry} autoFocus error={error} onChange={change} />
        <FailureNote text={refusal ?? failure} />
        <Button kind="primary" size="large" type="submit" busy={isBusy} className={css.submit}>
          {t.recover.submit}
        </Button>
      </form>
      <p className={css.foot}>
        <OutsideLink to="/login">{t.toSignIn}</OutsideLink>
      </p>
    </>
  )
}
