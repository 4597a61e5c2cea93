import { type AnswerOf, ApiError, accounts } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { explainStep } from '../../../entities/account/code-calls.ts'
import { FailureNote } from '../../../entities/account/failure-note.tsx'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { CopyCode } from '../../../shared/ui/copy-code.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { QrPicture } from '../../../shared/ui/qr/qr-picture.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import css from './two-factor.module.css'

type Setup = AnswerOf<typeof accounts.setUpSecondFactor>

const digits = 6

/** From no second factor to one: the secret as a QR code, a first code of it, then the recovery codes. */
export function TwoFactorSetupDialog({ onClose }: { onClose: () => void }) {
  const { account, app, joining } = useText()
  const t = account.twoFactor
  const queries = useQueryClient()
  const formId = useId()
  const { proved, dialog } = useProof()
  const [setup, setSetup] = useState<Setup>()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isBegun = useRef(false)

  const begin = useEffectEvent(async () => {
    try {
      const answer = await proved(() => call(accounts.setUpSecondFactor, {}, { noNotice: true }))
      if (answer) setSetup(answer)
      else onClose()
    } catch (error) {
      setFailure(explainStep(error, joining))
    }
  })
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    void begin()
  }, [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    const typed = code.replace(/\s/g, '')
    if (!/^\d{6}$/.test(typed)) return setProblem(t.codeMissing)
    setBusy(true)
    try {
      const answer = await proved(() =>
        call(accounts.confirmSecondFactor, { code: typed }, { noNotice: true }),
      )
      if (answer) setRecoveryCodes(answer.recoveryCodes)
    } catch (error) {
      const isWrong = error instanceof ApiError && error.is('07010112')
      setProblem(isWrong ? t.codeWrong : explainStep(error, joining))
    } finally {
      setBusy(false)
    }
  }

  if (recoveryCodes) {
    return (
      <RecoveryCodes
        codes={recoveryCodes}
        onKept={() => {
          showToast(t.done)
          onClose()
          void queries.invalidateQueries({ queryKey: personQuery.queryKey })
        }}
      />
    )
  }
  if (!setup && !failure) return dialog
  return (
    <>
      <Dialog
        title={t.setUpTitle}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>{app.cancel}</Button>
            {setup && (
              <Button kind="primary" type="submit" form={formId} busy={isBusy}>
                {t.confirm}
              </Button>
            )}
          </>
        }
      >
        <FailureNote text={failure} />
        {setup && (
          <form id={formId} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
            <p>{t.scan}</p>
            <div className={css.picture}>
              <QrPicture text={setup.otpauthUrl} label={t.picture} size={184} />
            </div>
            <div className={css.secret}>
              <span>{t.secret}</span>
              <CopyCode code={setup.secret} />
            </div>
            <TextField
              label={t.code}
              autoFocus
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={digits + 1}
              value={code}
              error={problem}
              onChange={(next) => {
                setCode(next)
                setProblem(undefined)
              }}
            />
          </form>
        )}
      </Dialog>
      {dialog}
    </>
  )
}
