import { type AnswerOf, accounts } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { explainStep } from '../../../entities/account/code-calls.ts'
import { FailureNote } from '../../../entities/account/failure-note.tsx'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { CopyCode } from '../../../shared/ui/copy-code.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Stack } from '../../../shared/ui/layout/layout.tsx'
import { QrPicture } from '../../../shared/ui/qr/qr-picture.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { codeFields, explainCode } from './second-factor-code.ts'
import css from './two-factor.module.css'

type Setup = AnswerOf<typeof accounts.setUpSecondFactor>

/** From no second factor to one: the secret as a QR code, a first code of it, then the recovery codes. */
export function TwoFactorSetupDialog({ onClose }: { onClose: () => void }) {
  const { account, joining } = useText()
  const t = account.twoFactor
  const queries = useQueryClient()
  const { proved, dialog } = useProof()
  const [setup, setSetup] = useState<Setup>()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const [failure, setFailure] = useState<string>()
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
  return (
    <>
      {setup && (
        <FirstCodeDialog setup={setup} proved={proved} onConfirmed={setRecoveryCodes} onClose={onClose} />
      )}
      {failure && (
        <Dialog title={t.setUpTitle} onClose={onClose}>
          <FailureNote text={failure} />
        </Dialog>
      )}
      {dialog}
    </>
  )
}

interface FirstCodeDialogProps {
  setup: Setup
  proved: ReturnType<typeof useProof>['proved']
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}

/** Shows the secret and takes the first code that an app makes of it. */
function FirstCodeDialog({ setup, proved, onConfirmed, onClose }: FirstCodeDialogProps) {
  const text = useText()
  const t = text.account.twoFactor
  const form = useForm({
    route: accounts.confirmSecondFactor,
    initial: { code: '' },
    // The call also takes recovery codes, which this first code cannot be.
    check: ({ code }) => ({ code: /^\d{6}$/.test(withoutSpaces(code)) ? undefined : t.codeMissing }),
    words: { code: { required: t.codeMissing, unitsMin: t.codeMissing } },
    send: ({ code }) =>
      proved(() => call(accounts.confirmSecondFactor, { code: withoutSpaces(code) }, { noNotice: true })),
    errorFields: codeFields,
    explain: (error) => explainCode(error, text),
    onSent: (answer) => answer && onConfirmed(answer.recoveryCodes),
  })
  return (
    <FormDialog title={t.setUpTitle} submit={t.confirm} width={440} form={form} onClose={onClose}>
      <p>{t.scan}</p>
      <div className={css.picture}>
        <QrPicture text={setup.otpauthUrl} label={t.picture} size={184} />
      </div>
      <Stack gap={4} shrinks tone="quiet" size={12}>
        <span>{t.secret}</span>
        <CopyCode code={setup.secret} />
      </Stack>
      <TextField
        label={t.code}
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
        {...form.text('code')}
      />
    </FormDialog>
  )
}

const withoutSpaces = (code: string) => code.replace(/\s/g, '')
