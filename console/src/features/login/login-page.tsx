import { type FormEvent, useRef, useState } from 'react'
import { toAddress } from '../../app/address.ts'
import { wantedPath } from '../../app/outside-address.ts'
import type { RememberedAccount } from '../../app/preferences.ts'
import { forgetAccount, listAccounts, rememberAccount } from '../../app/remembered-accounts.ts'
import { useText } from '../../i18n/language.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { CountrySelect } from './country-select.tsx'
import { LoginLayout } from './login-layout.tsx'
import css from './login-page.module.css'
import { RecentAccounts } from './recent-accounts.tsx'
import { accountKind, type Entered, findErrors, phoneDigits, type SignInErrors, signIn } from './sign-in.ts'

const passwordMax = 256

/** Sign-in with phone or e-mail. Native fields on the tokens: the lightest page of the console. */
export function LoginPage() {
  const t = useText().login
  const [recent, setRecent] = useState(() => listAccounts())
  const [entered, setEntered] = useState<Entered>(() => enter(recent[0]))
  const [remember, setRemember] = useState(true)
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<SignInErrors>({})
  const nameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)

  function change(part: Partial<Entered>) {
    setEntered({ ...entered, ...part })
    setErrors({})
  }

  function show(found: SignInErrors) {
    setErrors(found)
    if (found.name) nameField.current?.focus()
    else if (found.password) passwordField.current?.select()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const missing = findErrors(entered, t.errors)
    if (Object.keys(missing).length) return show(missing)
    setBusy(true)
    const refused = await signIn(entered, t.errors)
    if (refused) {
      setBusy(false)
      return show(refused)
    }
    const account = toAccount(entered)
    if (remember) rememberAccount(account)
    else forgetAccount(account)
    const target = toAddress(wantedPath() ?? '/index/')
    try {
      const { startInside } = await loadInside()
      history.replaceState(null, '', target)
      await startInside()
    } catch {
      // Signed in, but the files behind it cannot be had: the page loaded anew has those of the version there is.
      location.replace(target)
    }
  }

  return (
    <LoginLayout>
      <h1 className={css.title}>{t.title}</h1>
      <p className={css.lead}>{t.lead}</p>
      <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <Segmented
          className={css.kinds}
          label={t.tabs.label}
          value={entered.kind}
          onChange={(kind) => change({ kind })}
          options={[
            { value: 'phone', label: t.tabs.phone },
            { value: 'email', label: t.tabs.email },
          ]}
        />
        <TextField
          key={entered.kind}
          ref={nameField}
          label={entered.kind === 'phone' ? t.phone : t.email}
          placeholder={entered.kind === 'phone' ? t.phonePlaceholder : t.emailPlaceholder}
          type={entered.kind === 'phone' ? 'tel' : 'email'}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={!entered.name}
          value={entered.name}
          error={errors.name}
          onChange={(name) => change({ name })}
          before={
            entered.kind === 'phone' && (
              <CountrySelect
                value={entered.countryCode}
                onChange={(countryCode) => change({ countryCode })}
              />
            )
          }
        />
        <TextField
          ref={passwordField}
          label={t.password}
          placeholder={t.passwordPlaceholder}
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={passwordMax}
          autoFocus={Boolean(entered.name)}
          value={entered.password}
          error={errors.password}
          onChange={(password) => change({ password })}
          // While the password is typed the next screen is fetched.
          onFocus={() => void loadInside().catch(() => {})}
          after={
            <button
              type="button"
              className={css.eye}
              aria-label={shown ? t.hide : t.show}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              <Icon name={shown ? 'eyeOff' : 'eye'} size={18} />
            </button>
          }
        />
        <label className={css.remember}>
          <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
          {t.remember}
        </label>
        {errors.form && (
          <p className={css.failure} role="alert">
            <Icon name="warning" />
            {errors.form}
          </p>
        )}
        <Button kind="primary" size="large" type="submit" busy={busy} className={css.submit}>
          {busy ? t.submitting : t.submit}
        </Button>
      </form>
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
    </LoginLayout>
  )
}

function enter(account: RememberedAccount | undefined): Entered {
  return {
    kind: account?.kind ?? 'phone',
    countryCode: account?.countryCode ?? '86',
    name: account?.name ?? '',
    password: '',
  }
}

function toAccount(entered: Entered): RememberedAccount {
  const usedAt = Date.now()
  return accountKind(entered) === 'email'
    ? { kind: 'email', name: entered.name.trim(), usedAt }
    : { kind: 'phone', name: phoneDigits(entered.name), countryCode: entered.countryCode, usedAt }
}

const loadInside = () => import('../../app/inside.tsx')
