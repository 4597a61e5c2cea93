import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type AccountKind, firstAccountKind, registerPaths } from '../../entities/account/account-entry.ts'
import { AccountField } from '../../entities/account/account-field.tsx'
import { enterInside, loadInside, rememberEntry, toAccount } from '../../entities/account/enter.ts'
import {
  type Challenge,
  type Entered,
  findErrors,
  type SignInErrors,
  type SignInOutcome,
  signIn,
} from '../../entities/account/sign-in.ts'
import { getText, loadJoiningTexts, useText } from '../../shared/i18n/language.ts'
import { forgetLeft, readLeft } from '../../shared/session/left-note.ts'
import type { RememberedAccount } from '../../shared/session/preferences.ts'
import { forgetAccount, listAccounts } from '../../shared/session/remembered-accounts.ts'
import { Button } from '../../shared/ui/button.tsx'
import { PasswordField } from '../../shared/ui/fields/password-field.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { LoginLayout } from '../../shared/ui/outside/login-layout.tsx'
import { OutsideLink } from '../../shared/ui/outside/outside-link.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import css from './login-page.module.css'
import { RecentAccounts } from './recent-accounts.tsx'
import type { SignInParts } from './sign-in-parts.tsx'

const passwordMax = 256

/** Sign-in with phone, e-mail or a QR code. Native fields on the tokens: the lightest page of the console. */
export function LoginPage() {
  const t = useText().login
  const [recent, setRecent] = useState(() => listAccounts())
  const [entered, setEntered] = useState<Entered>(() => enter(recent[0]))
  // Each way to sign in keeps what was typed for it.
  const [names, setNames] = useState<Partial<Record<AccountKind, string>>>({})
  const [isByQr, setByQr] = useState(false)
  const [remember, setRemember] = useState(true)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<SignInErrors>({})
  const [challenge, setChallenge] = useState<Challenge>()
  const [left] = useState(readLeft)
  const parts = useParts(isByQr || challenge !== undefined)
  const nameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)

  function change(part: Partial<Entered>) {
    setEntered({ ...entered, ...part })
    setErrors({})
  }

  function choose(way: AccountKind | 'qr') {
    setByQr(way === 'qr')
    if (way === 'qr' || way === entered.kind) return
    setNames({ ...names, [entered.kind]: entered.name })
    change({ kind: way, name: names[way] ?? '' })
  }

  function show(found: SignInErrors) {
    setErrors(found)
    if (found.name) nameField.current?.focus()
    else if (found.password) passwordField.current?.select()
  }

  async function goIn({ isDeletionTakenBack }: SignInOutcome) {
    forgetLeft()
    if (remember) rememberEntry(entered)
    else forgetAccount(toAccount(entered))
    await enterInside()
    if (isDeletionTakenBack) showToast(t.deletionTakenBack)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const missing = findErrors(entered, t.errors)
    if (Object.keys(missing).length) return show(missing)
    setBusy(true)
    const outcome = await signIn(entered, t.errors)
    if (!outcome.errors && !outcome.challenge) return goIn(outcome)
    setBusy(false)
    setChallenge(outcome.challenge)
    if (outcome.errors) show(outcome.errors)
  }

  if (challenge) {
    return (
      <LoginLayout>
        {parts ? (
          <parts.ChallengeStep
            challenge={challenge}
            entered={entered}
            onDone={goIn}
            onChallenge={setChallenge}
            onBack={(found = {}) => {
              setChallenge(undefined)
              setErrors(found)
            }}
          />
        ) : (
          <div className={css.waiting} />
        )}
      </LoginLayout>
    )
  }
  return (
    <LoginLayout>
      <h1 className={css.title}>{t.title}</h1>
      <p className={css.lead}>{left === undefined ? t.lead : t.left(left)}</p>
      <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <ToggleGroup<AccountKind | 'qr'>
          className={css.kinds}
          label={t.tabs.label}
          value={isByQr ? 'qr' : entered.kind}
          onChange={choose}
          options={[
            { value: 'phone', label: t.tabs.phone },
            { value: 'email', label: t.tabs.email },
            { value: 'qr', label: t.tabs.qr },
          ]}
        />
        {isByQr ? (
          parts ? (
            <parts.QrSignIn onDone={enterInside} />
          ) : (
            <div className={css.waiting} />
          )
        ) : (
          <>
            <AccountField
              ref={nameField}
              entry={entered}
              autoFocus={!entered.name}
              error={errors.name}
              onChange={change}
            />
            <PasswordField
              ref={passwordField}
              label={t.password}
              placeholder={t.passwordPlaceholder}
              autoComplete="current-password"
              maxLength={passwordMax}
              autoFocus={Boolean(entered.name)}
              value={entered.password}
              error={errors.password}
              onChange={(password) => change({ password })}
              // While the password is typed the next screen is fetched.
              onFocus={() => void loadInside().catch(() => {})}
            />
            <div className={css.options}>
              <label className={css.remember}>
                <input
                  type="checkbox"
                  checked={remember}
                  onChange={(event) => setRemember(event.target.checked)}
                />
                {t.remember}
              </label>
              <OutsideLink to="/forgetPwd">{t.forgotten}</OutsideLink>
            </div>
            {errors.form && (
              <p className={css.failure} role="alert">
                <Icon name="warning" />
                {errors.form}
              </p>
            )}
            <Button kind="primary" size="large" type="submit" busy={busy} className={css.submit}>
              {busy ? t.submitting : t.submit}
            </Button>
          </>
        )}
      </form>
      <p className={css.others}>
        <span>
          {t.none} <OutsideLink to={registerPaths[entered.kind]}>{t.register}</OutsideLink>
        </span>
        <OutsideLink to="/scadaRegister">{t.scada}</OutsideLink>
      </p>
      {!isByQr && (
        <RecentAccounts
          accounts={recent}
          onChoose={(account) => {
            change(enter(account))
            passwordField.current?.focus()
          }}
          onForget={(account) => {
            forgetAccount(account)
            setRecent(listAccounts())
          }}
        />
      )}
    </LoginLayout>
  )
}

/** The parts that only some sign-ins need, loaded with their texts when they are needed. */
function useParts(isNeeded: boolean): SignInParts | undefined {
  const [parts, setParts] = useState<SignInParts>()
  useEffect(() => {
    if (!isNeeded) return
    Promise.all([import('./sign-in-parts.tsx'), loadJoiningTexts()]).then(
      ([{ signInParts }]) => setParts(signInParts),
      () => showToast(getText().notices.unreachable, 'failure'),
    )
  }, [isNeeded])
  return parts
}

function enter(account: RememberedAccount | undefined): Entered {
  return {
    kind: account?.kind ?? firstAccountKind(),
    countryCode: account?.countryCode ?? '86',
    name: account?.name ?? '',
    password: '',
  }
}
