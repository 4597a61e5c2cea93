import { access, limits } from '@busbar/contract'
import { useProof } from '../../entities/account/use-proof.tsx'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { PasswordField } from '../../shared/ui/fields/password-field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { useAdministration } from './administration.ts'

const { machinePasswordMin: min, machinePasswordMax: max } = limits

/** Another machine password, once the caller has proved their own. */
export function MachinePasswordDialog({ onClose }: { onClose: () => void }) {
  const { machineId, machine, refresh } = useAdministration()
  const { settings } = useText().access
  const t = settings.passwordDialog
  const { proved, dialog } = useProof()
  const form = useForm({
    route: access.setMachinePassword,
    initial: { password: '' },
    words: { password: { required: t.tooShort(min) } },
    send: ({ password }) => proved(() => call(access.setMachinePassword, { machineID: machineId, password })),
    explain: (error) => (error.field === 'password' ? t.tooCommon : undefined),
    failed: settings.failed,
    // The caller may have left the proof.
    done: (answer) => (answer === undefined ? undefined : t.done),
    onSent: (answer) => {
      if (answer === undefined) return
      onClose()
      return refresh()
    },
  })
  return (
    <>
      {/* Beside it: a form within a form would be sent with it. */}
      <FormDialog title={t.title(machine.name)} submit={t.submit} width={440} form={form} onClose={onClose}>
        <div>
          <PasswordField
            label={t.field}
            autoFocus
            // It is the machine's, not the person's: nothing for a password store.
            autoComplete="one-time-code"
            {...form.text('password')}
          />
          <p className={css.hint}>{t.hint(min, max)}</p>
        </div>
      </FormDialog>
      {dialog}
    </>
  )
}
