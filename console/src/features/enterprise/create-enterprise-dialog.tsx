import { enterprises } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'

interface CreateEnterpriseDialogProps {
  onClose: () => void
  onCreated: (eid: number) => void
}

/** Creates an enterprise that the person owns. */
export function CreateEnterpriseDialog({ onClose, onCreated }: CreateEnterpriseDialogProps) {
  const t = useText().enterprises.space
  const form = useForm({
    route: enterprises.createEnterprise,
    initial: { name: '' },
    words: { name: { required: t.nameMissing } },
    send: ({ name }) => call(enterprises.createEnterprise, { name: name.trim() }),
    done: (_, { name }) => t.created(name.trim()),
    touched: [['enterprises']],
    onSent: ({ eid }) => {
      onClose()
      onCreated(eid)
    },
  })
  return (
    <FormDialog title={t.createTitle} submit={t.create} form={form} onClose={onClose}>
      <p className={css.body}>{t.createHint}</p>
      <TextField label={t.name} autoFocus {...form.text('name')} />
    </FormDialog>
  )
}
