import { alarmContacts, type Lang } from '@busbar/contract'
import type { Machine } from '../../../entities/machine/machine.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { ChoicesField } from '../../../shared/ui/fields/choices-field.tsx'
import { SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Switch } from '../../../shared/ui/switch.tsx'
import { type Contact, contactActs } from '../contact-queries.ts'
import { notificationsKey } from '../notification-queries.ts'

interface ContactDialogProps {
  space: PageSpace
  machines: readonly Machine[]
  /** Undefined for a new contact. */
  contact: Contact | undefined
  onClose: () => void
}

type ContactInput = {
  readonly name: string
  readonly email: string
  readonly lang: Lang
  readonly machineIds: readonly number[]
  readonly mayConfirm: boolean
}

/** Adds a recipient, who is asked by e-mail to confirm, or changes one. */
export function ContactDialog({ space, machines, contact, onClose }: ContactDialogProps) {
  const t = useText().notifications.contacts
  const reader = useLang()
  const acts = contactActs(space.asked)
  const form = useForm<ContactInput>({
    route: alarmContacts.createContact,
    initial: {
      name: contact?.name ?? '',
      email: contact?.email ?? '',
      lang: contact?.lang ?? reader,
      machineIds: contact?.machineIds ?? [],
      mayConfirm: contact?.mayConfirm ?? false,
    },
    required: ['name', 'email'],
    check: ({ machineIds }) => ({ machineIds: machineIds.length === 0 ? t.machinesNeeded : undefined }),
    send: async (values) => {
      const fields = { ...values, machineIds: [...values.machineIds] }
      if (contact) await acts.update(contact.id, fields)
      else await acts.create(fields)
    },
    done: (_, { email }) => (contact && contact.email === email ? t.saved : t.added(email)),
    touched: [notificationsKey],
    onSent: onClose,
  })
  const langs: readonly Lang[] = ['cn', 'en']
  return (
    <FormDialog
      title={contact ? t.editOf(contact.name) : t.add}
      submit={contact ? t.save : t.add}
      form={form}
      onClose={onClose}
    >
      <TextField label={t.name} autoFocus {...form.text('name')} />
      <TextField label={t.email} inputMode="email" autoComplete="off" {...form.text('email')} />
      <SelectField
        label={t.lang}
        options={langs.map((value) => ({ value, label: t.langs[value] }))}
        {...form.field('lang')}
      />
      <ChoicesField
        label={t.machines}
        options={machines.map(({ id, name, code }) => ({ value: id, label: name, hint: code }))}
        {...form.field('machineIds')}
      />
      <SettingRow name={t.mayConfirm} hint={t.mayConfirmHint}>
        <Switch
          label={t.mayConfirm}
          checked={form.values.mayConfirm}
          onChange={(mayConfirm) => form.set('mayConfirm', mayConfirm)}
        />
      </SettingRow>
    </FormDialog>
  )
}
