import { registration } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'

/** A person's name, and the dialog that changes it. */
export function NameRow({ name }: { name: string }) {
  const t = useText().account.info
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingRow name={t.name} value={name}>
      <Button onClick={() => setOpen(true)}>
        {t.edit}
        <span className="sr-only">{t.name}</span>
      </Button>
      {isOpen && <NameDialog name={name} onClose={() => setOpen(false)} />}
    </SettingRow>
  )
}

function NameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useText().account
  const form = useForm({
    route: registration.updateUserName,
    initial: { name },
    send: ({ name: wished }) => call(registration.updateUserName, { name: wished.trim() }),
    done: t.saved,
    touched: [personQuery.queryKey],
    onSent: onClose,
  })
  return (
    <FormDialog title={t.info.nameEdit} submit={t.save} width={440} form={form} onClose={onClose}>
      <TextField label={t.info.name} autoFocus autoComplete="name" {...form.text('name')} />
    </FormDialog>
  )
}
