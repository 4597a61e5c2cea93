import { accounts } from '@busbar/contract'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { codeFields, explainCode } from './second-factor-code.ts'

/** Turns two-factor authentication off, with one of its codes or a recovery code. */
export function TwoFactorOffDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const t = text.account.twoFactor
  const { proved, dialog } = useProof()
  const missing = text.joining.challenge.totpMissing
  const form = useForm({
    route: accounts.removeSecondFactor,
    initial: { code: '' },
    words: { code: { required: missing, unitsMin: missing } },
    send: ({ code }) =>
      proved(async () => {
        await call(accounts.removeSecondFactor, { code: code.trim() }, { noNotice: true })
        return true
      }),
    errorFields: codeFields,
    explain: (error) => explainCode(error, text),
    done: (isDone) => (isDone ? t.doneOff : undefined),
    touched: [personQuery.queryKey],
    onSent: (isDone) => isDone && onClose(),
  })
  return (
    <>
      <FormDialog title={t.offTitle} submit={t.turnOff} width={440} danger form={form} onClose={onClose}>
        <p>{t.offBody}</p>
        <TextField
          label={t.offCode}
          autoFocus
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...form.text('code')}
        />
      </FormDialog>
      {dialog}
    </>
  )
}
