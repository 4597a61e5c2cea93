import { limits } from '@busbar/contract'
import { type FormEvent, useRef, useState } from 'react'
import { useText } from '../../shared/i18n/language.ts'
import { Button } from '../../shared/ui/button.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { type AccountEntry, formatEntry } from './account-entry.ts'
import { type CodePurpose, explainStep, readWait, sendCode } from './code-calls.ts'
import css from './steps.module.css'
import { useSecondsUntil } from './use-seconds.ts'

interface CodeStepProps {
  entry: AccountEntry
  purpose: CodePurpose
  /** The time from which another code may be requested, epoch milliseconds. */
  retryAt: number
  /** Does not reveal whether the account exists. */
  unsure?: boolean
  submit: string
  /** Takes the code; returns its problem, or undefined if it went on. */
  onCode: (code: string) => Promise<string | undefined>
  /** Requests another code instead of the usual call; returns the seconds until the next one. */
  onSendAgain?: () => Promise<number>
  onBack: () => void
}

/** Takes the code that was sent to an account, and sends another one. */
export function CodeStep(props: CodeStepProps) {
  const { entry, purpose, unsure = false, submit, onCode, onSendAgain, onBack } = props
  const t = useText().joining
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isSending, setSending] = useState(false)
  const [retryAt, setRetryAt] = useState(props.retryAt)
  const left = useSecondsUntil(retryAt)
  const field = useRef<HTMLInputElement>(null)

  async function send(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const typed = code.trim()
    if (typed.length !== limits.codeLength) return refuse(t.codes.missing(limits.codeLength))
    setBusy(true)
    const refused = await onCode(typed)
    setBusy(false)
    if (refused) refuse(refused)
  }

  function refuse(reason: string) {
    setError(reason)
    field.current?.select()
  }

  async function sendAgain() {
    setSending(true)
    try {
      const retryIn = await (onSendAgain?.() ?? sendCode(entry, purpose))
      setRetryAt(Date.now() + retryIn * 1_000)
      setError(undefined)
      showToast(t.codes.sentAgain)
    } catch (failure) {
      const wait = readWait(failure)
      if (wait !== undefined) setRetryAt(Date.now() + wait * 1_000)
      setError(explainStep(failure, t))
    } finally {
      setSending(false)
      field.current?.focus()
    }
  }

  const account = formatEntry(entry)
  const [before, after] = (unsure ? t.codes.maybeSent(account) : t.codes.sent(account)).split(account)
  return (
    <>
      <p className={css.lead}>
        {before}
        <b className={`${css.account} numbers`}>{account}</b>
        {after}
      </p>
      <form className={css.form} noValidate onSubmit={(event) => void send(event)}>
        <div className={css.code}>
          <TextField
            ref={field}
            label={t.codes.label}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            maxLength={limits.codeLength}
            value={code}
            error={error}
            onChange={(typed) => {
              setCode(typed.toUpperCase())
              setError(undefined)
            }}
            after={
              <button
                type="button"
                className={css.again}
                disabled={left > 0 || isSending}
                onClick={() => void sendAgain()}
              >
                <span className="numbers">{left > 0 ? t.codes.againIn(left) : t.codes.again}</span>
              </button>
            }
          />
        </div>
        <div className={css.actions}>
          <Button size="large" className={css.secondary} onClick={onBack}>
            {t.back}
          </Button>
          <Button kind="primary" size="large" type="submit" busy={isBusy} className={css.submit}>
            {submit}
          </Button>
        </div>
      </form>
    </>
  )
}
