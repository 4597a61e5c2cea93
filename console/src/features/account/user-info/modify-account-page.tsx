import { ApiError, accounts, registration } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import {
  type AccountEntry,
  type AccountKind,
  findAccountError,
  nationalNumber,
  toAccountFields,
} from '../../../entities/account/account-entry.ts'
import { AccountField } from '../../../entities/account/account-field.tsx'
import {
  checkCode,
  explainStep,
  isAboutAccount,
  readWait,
  sendCode,
} from '../../../entities/account/code-calls.ts'
import { CodeStep } from '../../../entities/account/code-step.tsx'
import { FailureNote } from '../../../entities/account/failure-note.tsx'
import { SettingsPage } from '../../../entities/account/settings-page.tsx'
import css from '../../../entities/account/steps.module.css'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { type Person, personQuery } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import panel from './modify-account-page.module.css'

export function ModifyPhonePage(): ReactNode {
  return <ModifyAccountPage kind="phone" />
}

export function ModifyEmailPage(): ReactNode {
  return <ModifyAccountPage kind="email" />
}

/** Another phone or e-mail of one's account: proved by one's password and by a code sent to it (decision 10). */
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

  /** The password first: a code that was checked should not run out while it is looked for. */
  async function send(): Promise<void> {
    const isProved = await proved(() => call(accounts.getPasswordProof, {}, { noNotice: true }))
    if (isProved) setRetryAt(Date.now() + (await sendCode(entry, 'changeAccount')) * 1_000)
  }

  const isChecked = useRef<string>(undefined)
  async function finish(code: string): Promise<string | undefined> {
    try {
      // A checked code is spent; what it proved still holds while the password is asked for once more.
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
    <SettingsPage isAlone title={title} lead={isPhone ? t.phoneLead : t.emailLead}>
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
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  function refuse(text: string) {
    setProblem(text)
    field.current?.focus()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    // An e-mail in the field of the number: which of the two changes was the choice of the page before.
    const isEmail = isPhone && entry.name.includes('@')
    const found = isEmail ? login.errors.phoneShort : findAccountError(entry, login.errors)
    if (found) return refuse(found)
    if (person && isSame(entry, person)) return refuse(isPhone ? t.samePhone : t.sameEmail)
    setBusy(true)
    try {
      await onSend()
    } catch (error) {
      if (error instanceof ApiError && error.is('ACCOUNT_TAKEN')) return refuse(t.taken)
      const text = explainStep(error, joining)
      if (isAboutAccount(error) || readWait(error) !== undefined) refuse(text)
      else setFailure(text)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <AccountField
        ref={field}
        entry={entry}
        label={isPhone ? t.newPhone : t.newEmail}
        autoFocus
        autoComplete={isPhone ? 'tel' : 'email'}
        error={problem}
        onChange={(next) => {
          onChange(next)
          setProblem(undefined)
          setFailure(undefined)
        }}
      />
      <FailureNote text={failure} />
      <Button kind="primary" size="large" type="submit" busy={isBusy} className={css.submit}>
        {t.submit}
      </Button>
    </form>
  )
}

/** The number with its prefix is the same one; the platform looks closer. */
function isSame(entry: AccountEntry, person: Person): boolean {
  if (entry.kind === 'email') return entry.name.trim().toLowerCase() === person.email
  return entry.countryCode === person.countryCode && nationalNumber(entry) === person.phone
}
