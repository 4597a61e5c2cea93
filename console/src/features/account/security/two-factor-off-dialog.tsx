import { ApiError, accounts } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { explainStep } from '../../../entities/account/code-calls.ts'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import css from './two-factor.module.css'

const codeMax = 32
const codeMin = 4

/** Takes the second factor away, for a code of it or a recovery code. */
export function TwoFactorOffDialog({ onClose }: { onClose: () => void }) {
  const { account, app, joining } = useText()
  const t = account.twoFactor
  const queries = useQueryClient()
  const formId = useId()
  const { proved, dialog } = useProof()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const typed = code.trim()
    if (typed.length < codeMin) return setProblem(joining.challenge.totpMissing)
    setBusy(true)
    try {
      const done = await proved(() => call(accounts.removeSecondFactor, { code: typed }, { noNotice: true }))
      if (!done) return
      showToast(t.doneOff)
      onClose()
      await queries.invalidateQueries({ queryKey: personQuery.queryKey })
    } catch (error) {
      const isWrong = error instanceof ApiError && error.is('07010112')
      setProblem(isWrong ? t.codeWrong : explainStep(error, joining))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Dialog
        title={t.offTitle}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>{app.cancel}</Button>
            <Button kind="danger" type="submit" form={formId} busy={isBusy}>
              {t.turnOff}
            </Button>
          </>
        }
      >
        <form id={formId} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
          <p>{t.offBody}</p>
          <TextField
            label={t.offCode}
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={codeMax}
            value={code}
            error={problem}
            onChange={(next) => {
              setCode(next)
              setProblem(undefined)
            }}
          />
        </form>
      </Dialog>
      {dialog}
    </>
  )
}
