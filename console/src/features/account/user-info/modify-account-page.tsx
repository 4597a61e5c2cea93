import { ApiError, accounts, registration } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import {
  type AccountEntry,
  type AccountKind,
  findAccountError,
  nationalNumber,
  toAccountFields,
} from '../../../entities/account/account-entry.ts'
import { AccountField } from '../../../entities/account/account-field.tsx'
import { checkCode, explainStep, sendCode } from '../../../entities/account/code-calls.ts'
import { CodeStep } from '../../../entities/account/code-step.tsx'
import { FailureNote } from '../../../entities/account/failure-note.tsx'
import { SettingsPage } from '../../../entities/account/settings-page.tsx'
import css from '../../../entities/account/steps.module.css'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { type Person, personQuery } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import panel from './modify-account-page.module.css'

export function ModifyPhonePage(): ReactNode {
  return <ModifyAccountPage kind="phone" />
}

export function ModifyEmailPage(): ReactNode {
  return <ModifyAccountPage kind="email" />
}

/** Changes the account's phone or e-mail: proved by the password and by a code sent to it. */
function ModifyAccountPage({ kind }: { kind: AccountKind }) {
  const { account, joining } = useText()
  const t = account.modify
  const isPhone = kind === 'phone'
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data: person } = useQuery(personQuery)
  const { proved, dialog } = useProof()
  const [entry, setEntry] = useState<AccountEntry>({ kind, countryCode: '86', name: '' })
  const [retryAt, setRetryAt] = useState<number>()
  const current = person && currentOf(person, kind)
  const change = isPhone ? t.phoneTitle : t.emailTitle
  const title = current === '' ? (isPhone ? t.phoneAdd : t.emailAdd) : change

  /** The password comes first, so that a checked code does not expire in the meantime. */
  async function send(): Promise<void> {
    const isProved = await proved(() => call(accounts.getPasswordProof, {}, { noNotice: true }))
    if (isProved) setRetryAt(Date.now() + (await sendCode(entry, 'changeAccount')) * 1_000)
  }

  const isChecked = useRef<string>(undefined)
  async function finish(code: string): Promise<string | undefined> {
    try {
      // A checked code is used up, but its proof still applies while the password is requested again.
      if (isChecked.current !== code) await checkCode(entry, 'changeAccount', code)
      isChecked.current = code
      const isDone = await proved(() =>
        call(registration.updateAccount, toAccountFields(entry), { noNotice: true }),
      )
      if (!isDone) return joining.failed
    } catch (error) {
      if (error instanceof ApiError && error.is('TICKET_NEEDED')) isChecked.current = undefined
      return explainStep(error, joining)
    }
    showToast(isPhone ? t.donePhone : t.doneEmail)
    await queries.invalidateQueries({ queryKey: personQuery.queryKey })
    await navigate({ to: '/userInfo' })
    return undefined
  }

  return (
    <SettingsPage title={title} lead={isPhone ? t.phoneLead : t.emailLead}>
      <section className={panel.panel}>
        {retryAt === undefined ? (
          <>
            {current && <p className={css.lead}>{t.current(current)}</p>}
            <NewAccountForm entry={entry} person={person} onChange={setEntry} onSend={send} />
          </>
        ) : (
          <CodeStep
            entry={entry}
            purpose="changeAccount"
            retryAt={retryAt}
            submit={t.confirm}
            onCode={finish}
            onBack={() => {
              isChecked.current = undefined
              setRetryAt(undefined)
            }}
          />
        )}
      </section>
      {dialog}
    </SettingsPage>
  )
}

function currentOf(person: Person, kind: AccountKind): string {
  if (kind === 'email') return person.email
  return person.phone && `+${person.countryCode} ${person.phone}`
}

/** Refusals that the field of the account is about. */
const accountErrors = {
  ACCOUNT_TAKEN: 'account',
  ACCOUNT_SAME: 'account',
  CODE_TOO_OFTEN: 'account',
  phone: 'account',
  email: 'account',
  countryCode: 'account',
} as const

interface NewAccountFormProps {
  entry: AccountEntry
  person: Person | undefined
  onChange: (entry: AccountEntry) => void
  onSend: () => Promise<void>
}

function NewAccountForm({ entry, person, onChange, onSend }: NewAccountFormProps) {
  const { account, joining, login } = useText()
  const t = account.modify
  const isPhone = entry.kind === 'phone'

  function findProblem(typed: AccountEntry): string | undefined {
    // An e-mail in the field of the number: which of the two changes was the choice of the page before.
    if (isPhone && typed.name.includes('@')) return login.errors.phoneShort
    const found = findAccountError(typed, login.errors)
    if (found || !person || !isSame(typed, person)) return found
    return isPhone ? t.samePhone : t.sameEmail
  }

  const form = useForm({
    route: registration.updateAccount,
    initial: { account: entry },
    check: ({ account: typed }) => ({ account: findProblem(typed) }),
    send: onSend,
    errorFields: accountErrors,
    explain: (error) => (error.is('ACCOUNT_TAKEN') ? t.taken : explainStep(error, joining)),
  })
  return (
    <form {...form.props} className={css.form}>
      <AccountField
        entry={form.values.account}
        label={isPhone ? t.newPhone : t.newEmail}
        autoFocus
        autoComplete={isPhone ? 'tel' : 'email'}
        error={form.problems.account}
        onChange={(next) => {
          onChange(next)
          form.set('account', next)
        }}
      />
      <FailureNote text={form.general} />
      <Button kind="primary" size="large" type="submit" busy={form.isSending} className={css.submit}>
        {t.submit}
      </Button>
    </form>
  )
}

/** The number with its prefix is the same one; the platform compares more closely. */
function isSame(entry: AccountEntry, person: Person): boolean {
  if (entry.kind === 'email') return entry.name.trim().toLowerCase() === person.email
  return entry.countryCode === person.countryCode && nationalNumber(entry) === person.phone
}
