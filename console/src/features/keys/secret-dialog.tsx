import { access } from '@busbar/contract'
import { useState } from 'react'
import { useProof } from '../../entities/account/use-proof.tsx'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { copyText } from '../../shared/ui/copy-text.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { useAdministration } from './administration.ts'

const confirmDigits = 4

/**
 * Renews the secret with which the machine signs in. It cuts the machine off until its agent has the new one,
 * so the machine is named by its code; the secret is shown once.
 */
export function SecretDialog({ onClose }: { onClose: () => void }) {
  const { machineId, machine } = useAdministration()
  const { settings } = useText().access
  const t = settings.secretDialog
  const { proved, dialog } = useProof()
  const [secret, setSecret] = useState<string>()
  const digits = machine.code.slice(-confirmDigits)
  const form = useForm({
    route: access.resetSecret,
    initial: { digits: '' },
    check: (values) => ({ digits: values.digits.trim() === digits ? undefined : t.wrong }),
    send: () => proved(() => call(access.resetSecret, { machineID: machineId })),
    failed: settings.failed,
    onSent: (answer) => setSecret(answer?.secret),
  })

  if (secret !== undefined) return <SecretShown secret={secret} onClose={onClose} />
  return (
    <>
      {/* Beside it: a form within a form would be sent with it. */}
      <FormDialog
        title={t.title(machine.name)}
        submit={t.action}
        danger
        width={480}
        form={form}
        onClose={onClose}
      >
        <Text as="p" pretty>
          {t.body}
        </Text>
        <TextField
          label={t.confirm(digits)}
          autoFocus
          inputMode="numeric"
          autoComplete="off"
          maxLength={confirmDigits}
          {...form.text('digits')}
        />
      </FormDialog>
      {dialog}
    </>
  )
}

/** Once, and only answered on purpose: a press beside it must not lose it. */
function SecretShown({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useText().access.settings.secretDialog
  return (
    <Dialog
      title={t.shownTitle}
      width={480}
      actions={
        <>
          <Button icon="copy" onClick={() => void copyText(secret)}>
            {t.copy}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {t.close}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <Text as="p" pretty>
          {t.shownBody}
        </Text>
        <code className={css.secret}>{secret}</code>
      </div>
    </Dialog>
  )
}
