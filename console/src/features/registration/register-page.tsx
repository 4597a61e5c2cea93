import { limits } from '@busbar/contract'
import { type FormEvent, useRef, useState } from 'react'
import { type AccountKind, registerPaths } from '../../entities/account/account-entry.ts'
import { AccountField } from '../../entities/account/account-field.tsx'
import { explainStep, requestCode } from '../../entities/account/code-calls.ts'
import { CodeStep } from '../../entities/account/code-step.tsx'
import { enterInside, rememberEntry } from '../../entities/account/enter.ts'
import { FailureNote } from '../../entities/account/failure-note.tsx'
import { signIn } from '../../entities/account/sign-in.ts'
import { StepFrame } from '../../entities/account/step-frame.tsx'
import css from '../../entities/account/steps.module.css'
import { useStore } from '../../shared/api/store.ts'
import { useText } from '../../shared/i18n/language.ts'
import { goOutside, outsideAddress } from '../../shared/session/outside-address.ts'
import { Button } from '../../shared/ui/button.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { PasswordField } from '../../shared/ui/fields/password-field.tsx'
import { LoginLayout } from '../../shared/ui/outside/login-layout.tsx'
import { OutsideLink } from '../../shared/ui/outside/outside-link.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { findRegistration, forgetRegistration, keepRegistration } from './kept-registration.ts'
import {
  activate,
  findRegisterErrors,
  judgeRegisterFailure,
  type RegisterErrors,
  type Registration,
  register,
} from './register.ts'

const nothingTyped = { name: '', password: '', repeat: '' }

/** Registration: the account's details, then the code that was sent. */
export function RegisterPage() {
  const text = useText()
  const t = text.joining
  const { pathname } = useStore(outsideAddress)
  const kind: AccountKind = pathname === registerPaths.email ? 'email' : 'phone'
  // A reloaded page continues with the code; the person types the password again.
  const [kept, setKept] = useState(() => findRegistration(kind))
  const [names, setNames] = useState({ phone: '', email: '', ...(kept && { [kind]: kept.entry.name }) })
  const [countryCode, setCountryCode] = useState(kept?.entry.countryCode ?? '86')
  const [typed, setTyped] = useState<Omit<Registration, 'entry'>>(nothingTyped)
  const [errors, setErrors] = useState<RegisterErrors>({})
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const entry = { kind, countryCode, name: names[kind] }
  const registration: Registration = { ...typed, entry }

  function change(part: Partial<typeof typed>) {
    setTyped({ ...typed, ...part })
    setErrors({})
  }

  function show(found: RegisterErrors) {
    setErrors(found)
    const first = (['account', 'name', 'password', 'repeat'] as const).find((field) => found[field])
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const found = findRegisterErrors(registration, text)
    if (Object.keys(found).length) return show(found)
    setBusy(true)
    try {
      setKept(keepRegistration(entry, await register(registration)))
    } catch (error) {
      show(judgeRegisterFailure(error, t))
    } finally {
      setBusy(false)
    }
  }

  async function sendAgain(): Promise<number> {
    const sent = await requestCode(entry, 'register')
    keepRegistration(entry, sent)
    return sent.retryIn
  }

  async function finish(code: string): Promise<string | undefined> {
    try {
      if (!(await activate(entry, code, typed.password))) return t.codes.wrong
    } catch (error) {
      return explainStep(error, t)
    }
    forgetRegistration()
    rememberEntry(entry)
    const outcome = typed.password
      ? await signIn({ ...entry, password: typed.password }, text.login.errors)
      : undefined
    if (!outcome || outcome.errors || outcome.challenge) {
      // The account exists; later obstacles are explained at the sign-in.
      showToast(t.register.done)
      goOutside('/login')
    } else await enterInside()
    return undefined
  }

  if (kept) {
    return (
      <LoginLayout>
        <StepFrame title={t.codes.title}>
          <CodeStep
            entry={entry}
            purpose="register"
            retryAt={kept.retryAt}
            submit={t.register.activate}
            onCode={finish}
            onSendAgain={sendAgain}
            onBack={() => {
              forgetRegistration()
              setKept(undefined)
            }}
          />
        </StepFrame>
      </LoginLayout>
    )
  }
  return (
    <LoginLayout>
      <StepFrame title={t.register.title} lead={t.register.lead}>
        <form ref={form} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
          <ToggleGroup
            className={css.kinds}
            label={t.register.ways}
            value={kind}
            onChange={(next) => {
              setErrors({})
              goOutside(registerPaths[next], { replace: true })
            }}
            options={[
              { value: 'phone', label: t.register.byPhone },
              { value: 'email', label: t.register.byEmail },
            ]}
          />
          <AccountField
            entry={entry}
            autoFocus
            error={errors.account}
            onChange={(next) => {
              setNames({ ...names, [kind]: next.name })
              setCountryCode(next.countryCode)
              setErrors({})
            }}
          />
          <TextField
            label={t.person.name}
            name="name"
            autoComplete="name"
            placeholder={t.person.namePlaceholder}
            value={typed.name}
            error={errors.name}
            onChange={(name) => change({ name })}
          />
          <PasswordField
            label={t.person.password}
            name="password"
            autoComplete="new-password"
            value={typed.password}
            error={errors.password}
            onChange={(password) => change({ password })}
          />
          {!errors.password && (
            <p className={css.hint}>{t.person.passwordHint(limits.passwordMin, limits.passwordMax)}</p>
          )}
          <PasswordField
            label={t.person.passwordRepeat}
            name="repeat"
            autoComplete="new-password"
            value={typed.repeat}
            error={errors.repeat}
            onChange={(repeat) => change({ repeat })}
          />
          <FailureNote text={errors.form} />
          <Button kind="primary" size="large" type="submit" busy={isBusy} className={css.submit}>
            {t.register.submit}
          </Button>
        </form>
        <p className={css.foot}>
          {t.register.have} <OutsideLink to="/login">{t.register.signIn}</OutsideLink>
        </p>
      </StepFrame>
    </LoginLayout>
  )
}
