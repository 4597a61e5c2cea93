import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type AccountEntry, type AccountKind, formatEntry } from '../../entities/account/account-entry.ts'
import { checkCode, explainStep, sendCode } from '../../entities/account/code-calls.ts'
import { CodeStep } from '../../entities/account/code-step.tsx'
import { FailureNote } from '../../entities/account/failure-note.tsx'
import { SettingsPage } from '../../entities/account/settings-page.tsx'
import steps from '../../entities/account/steps.module.css'
import { useText } from '../../shared/i18n/index.ts'
import { type Person, personQuery } from '../../shared/session/account-queries.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import css from './change-password-page.module.css'
import { NewPasswordForm } from './new-password-form.tsx'
import { resetPassword } from './reset-password.ts'

/** Signed in: another password, proved by a code to one's phone or e-mail. */
export function ChangePasswordPage(): ReactNode {
  const { account, app } = useText()
  const t = account.password
  const person = useQuery(personQuery)
  return (
    <SettingsPage title={t.title} lead={t.lead}>
      <section className={css.panel} aria-busy={person.isPending}>
        {person.data ? (
          <Steps person={person.data} />
        ) : person.isError ? (
          <EmptyState icon="offline" title={account.loadFailed} hint={account.loadFailedHint}>
            <Button icon="refresh" busy={person.isFetching} onClick={() => void person.refetch()}>
              {app.retry}
            </Button>
          </EmptyState>
        ) : (
          <Skeleton width={220} />
        )}
      </section>
    </SettingsPage>
  )
}

type Step = 'way' | 'code' | 'password'

function Steps({ person }: { person: Person }) {
  const { account, joining } = useText()
  const t = account.password
  const navigate = useNavigate()
  const ways = listWays(person)
  const [kind, setKind] = useState<AccountKind>(ways[0]?.kind ?? 'phone')
  const [step, setStep] = useState<Step>('way')
  const [retryAt, setRetryAt] = useState(0)
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const entry = ways.find((way) => way.kind === kind) ?? ways[0]
  if (!entry) return <EmptyState icon="lock" title={t.noWay} />

  async function send(to: AccountEntry) {
    setBusy(true)
    setFailure(undefined)
    try {
      setRetryAt(Date.now() + (await sendCode(to, 'resetPassword')) * 1_000)
      setStep('code')
    } catch (error) {
      setFailure(explainStep(error, joining))
    } finally {
      setBusy(false)
    }
  }

  async function check(to: AccountEntry, code: string): Promise<string | undefined> {
    try {
      await checkCode(to, 'resetPassword', code)
    } catch (error) {
      return explainStep(error, joining)
    }
    setStep('password')
    return undefined
  }

  if (step === 'code') {
    return (
      <CodeStep
        entry={entry}
        purpose="resetPassword"
        retryAt={retryAt}
        submit={joining.codes.confirm}
        onCode={(code) => check(entry, code)}
        onBack={() => setStep('way')}
      />
    )
  }
  if (step === 'password') {
    return (
      <NewPasswordForm
        onPassword={async (password) => {
          await resetPassword(entry, password)
          showToast(t.done)
          await navigate({ to: '/security' })
        }}
        onExpired={() => {
          setFailure(joining.recover.expired)
          setStep('way')
        }}
      />
    )
  }
  return (
    <div className={steps.form} data-subject="">
      {ways.length > 1 ? (
        <div className={css.choice}>
          <p aria-hidden="true">{t.way}</p>
          <ToggleGroup<AccountKind>
            className={css.ways}
            label={t.way}
            value={kind}
            onChange={(chosen) => {
              setKind(chosen)
              setFailure(undefined)
            }}
            options={ways.map((way) => ({ value: way.kind, label: formatEntry(way) }))}
          />
        </div>
      ) : (
        <p>
          {t.way} <b className="numbers">{formatEntry(entry)}</b>
        </p>
      )}
      <FailureNote text={failure} />
      <Button
        kind="primary"
        size="large"
        busy={isBusy}
        className={steps.submit}
        onClick={() => void send(entry)}
      >
        {t.send}
      </Button>
    </div>
  )
}

/** The destinations to which a code can be sent. */
function listWays({ phone, countryCode, email }: Person): AccountEntry[] {
  return [
    ...(phone ? [{ kind: 'phone' as const, countryCode, name: phone }] : []),
    ...(email ? [{ kind: 'email' as const, countryCode, name: email }] : []),
  ]
}
