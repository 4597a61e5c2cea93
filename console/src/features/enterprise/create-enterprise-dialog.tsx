import { enterprises } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Text } from '../../shared/ui/layout/layout.tsx'

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
      <Text as="p" pretty>
        {t.createHint}
      </Text>
      <TextField label={t.name} autoFocus {...form.text('name')} />
    </FormDialog>
  )
}
