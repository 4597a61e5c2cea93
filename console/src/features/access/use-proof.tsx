import { ApiError, accounts, errorText } from '@busbar/contract'
import { type FormEvent, type ReactNode, useCallback, useId, useState } from 'react'
import { call } from '../../api/client.ts'
import { useLang, useText } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import css from './form.module.css'

interface Asking {
  answer(isProved: boolean): void
}

/**
 * Does what needs the caller's password (decision 10): where it was not proved lately, asks for it and goes on by
 * itself. `proved` gives undefined when the person did not want to; `dialog` has to be drawn.
 */
export function useProof(): {
  proved: <T>(work: () => Promise<T>) => Promise<T | undefined>
  dialog: ReactNode
} {
  const [asking, setAsking] = useState<Asking>()
  const proved = useCallback(async <T,>(work: () => Promise<T>): Promise<T | undefined> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ApiError) || !error.is('PROOF_NEEDED')) throw error
      }
      const isProved = await new Promise<boolean>((answer) => setAsking({ answer }))
      setAsking(undefined)
      if (!isProved) return undefined
    }
  }, [])
  return { proved, dialog: asking && <ProofDialog onAnswer={asking.answer} /> }
}

const passwordMax = 256

function ProofDialog({ onAnswer }: { onAnswer: (isProved: boolean) => void }) {
  const { access: words, app } = useText()
  const t = words.proof
  const lang = useLang()
  const formId = useId()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!password) return setError(t.missing)
    setBusy(true)
    try {
      await call(accounts.provePassword, { password })
      onAnswer(true)
    } catch (failure) {
      setError(explain(failure))
      setBusy(false)
    }
  }

  function explain(failure: unknown): string {
    if (!(failure instanceof ApiError)) return t.failed
    if (failure.is('07010110')) {
      const { data } = failure
      const minutes =
        typeof data === 'object' && data !== null && 'minutes' in data ? data.minutes : undefined
      if (typeof minutes === 'number') return t.locked(minutes)
    }
    return (failure.http === 200 && errorText(failure.code, lang)) || t.failed
  }

  return (
    <Dialog
      title={t.title}
      width={400}
      onClose={() => onAnswer(false)}
      actions={
        <>
          <Button onClick={() => onAnswer(false)}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={isBusy}>
            {t.submit}
          </Button>
        </>
      }
    >
      <form id={formId} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <p className={css.body}>{t.body}</p>
        <TextField
          label={t.password}
          type="password"
          autoFocus
          autoComplete="current-password"
          maxLength={passwordMax}
          value={password}
          error={error}
          onChange={(next) => {
            setPassword(next)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
