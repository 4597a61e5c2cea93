import { type FormEvent, useRef, useState } from 'react'
import { CodeStep } from '../../entities/account/code-step.tsx'
import {
  type Challenge,
  type Entered,
  type SignInErrors,
  type SignInOutcome,
  signIn,
} from '../../entities/account/sign-in.ts'
import { StepFrame } from '../../entities/account/step-frame.tsx'
import css from '../../entities/account/steps.module.css'
import { useText } from '../../shared/i18n/language.ts'
import { Button } from '../../shared/ui/button.tsx'
import { TextField } from '../../shared/ui/field.tsx'

interface ChallengeStepProps {
  challenge: Challenge
  entered: Entered
  onDone: (outcome: SignInOutcome) => Promise<void>
  /** One challenge may follow another. */
  onChallenge: (challenge: Challenge) => void
  /** Back to the form, with its errors. */
  onBack: (errors?: SignInErrors) => void
}

/** The code beside the password: sent, or of the authenticator app (docs/decisions/0013-signing-in.md). */
export function ChallengeStep(props: ChallengeStepProps) {
  const { challenge, entered, onDone, onChallenge, onBack } = props
  const { joining: t, login } = useText()

  /** Returns the problem of the code, or undefined if the sign-in went on. */
  async function prove(code: string): Promise<string | undefined> {
    const outcome = await signIn(entered, login.errors, { challenge: challenge.challenge, code })
    if (outcome.challenge) {
      onChallenge(outcome.challenge)
      // The same challenge again means that it had expired.
      return outcome.challenge.kind === challenge.kind ? t.challenge.over : undefined
    }
    if (outcome.isCodeWrong) return challenge.kind === 'totp' ? t.challenge.totpWrong : t.codes.wrong
    if (outcome.errors) onBack(outcome.errors)
    else await onDone(outcome)
    return undefined
  }

  async function sendAgain() {
    const outcome = await signIn(entered, login.errors)
    if (outcome.challenge) onChallenge(outcome.challenge)
    else onBack(outcome.errors)
  }

  return challenge.kind === 'code' ? (
    <SentCode entered={entered} onProve={prove} onSendAgain={sendAgain} onBack={() => onBack()} />
  ) : (
    <OneTimeCode onProve={prove} onBack={() => onBack()} />
  )
}

interface StepProps {
  onProve: (code: string) => Promise<string | undefined>
  onBack: () => void
}

/** Time until another code may be requested, because every code costs a message. */
const retryMs = 60_000

interface SentCodeProps extends StepProps {
  entered: Entered
  /** Signs in again, which sends another code. */
  onSendAgain: () => Promise<void>
}

function SentCode({ entered, onProve, onSendAgain, onBack }: SentCodeProps) {
  const { joining: t, login } = useText()
  const [retryAt] = useState(() => Date.now() + retryMs)
  return (
    <StepFrame title={t.codes.title} lead={t.challenge.codeLead}>
      <CodeStep
        entry={entered}
        purpose="login"
        retryAt={retryAt}
        unsure
        submit={login.submit}
        onCode={onProve}
        onSendAgain={async () => {
          await onSendAgain()
          return retryMs / 1_000
        }}
        onBack={onBack}
      />
    </StepFrame>
  )
}

/** As long as the longest recovery code. */
const codeMax = 32

function OneTimeCode({ onProve, onBack }: StepProps) {
  const { joining: t, login } = useText()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const typed = code.trim()
    if (!typed) return setError(t.challenge.totpMissing)
    setBusy(true)
    const refused = await onProve(typed)
    setBusy(false)
    setError(refused)
    if (refused) field.current?.select()
  }

  return (
    <StepFrame title={t.challenge.totpTitle} lead={t.challenge.totpLead}>
      <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          ref={field}
          label={t.challenge.totpLabel}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          maxLength={codeMax}
          value={code}
          error={error}
          onChange={(typed) => {
            setCode(typed)
            setError(undefined)
          }}
        />
        <div className={css.actions}>
          <Button size="large" className={css.secondary} onClick={onBack}>
            {t.back}
          </Button>
          <Button kind="primary" size="large" type="submit" busy={isBusy} className={css.submit}>
            {login.submit}
          </Button>
        </div>
      </form>
    </StepFrame>
  )
}
