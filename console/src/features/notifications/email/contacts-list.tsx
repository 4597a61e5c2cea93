import { type ReactNode, useMemo } from 'react'
import { useAlarmMachines } from '../../../entities/machine/alarm-machines.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { type Contact, contactActs, contactsQuery } from '../contact-queries.ts'
import { notificationsKey } from '../notification-queries.ts'
import { useMaySet } from '../use-may-set.ts'
import { ContactDialog } from './contact-dialog.tsx'

/** People without an account who get alarms by e-mail: who confirmed, of which machines, and whether they acknowledge. */
export function ContactsList({ space }: { space: PageSpace }): ReactNode {
  const t = useText().notifications.contacts
  const maySet = useMaySet(space)
  const machines = useAlarmMachines(space.asked.eid)
  const names = useMemo(() => new Map(machines.map(({ id, name }) => [id, name])), [machines])
  const acts = contactActs(space.asked)
  const dialog = (close: () => void, contact?: Contact) => (
    <ContactDialog {...{ space, machines, contact }} onClose={close} />
  )
  return (
    <List
      id="notifications.contacts"
      title={t.title}
      lead={t.lead}
      rows={whole(contactsQuery(space.asked))}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: { kind: 'name', value: 'name', minor: ({ email }) => email, width: 220, grow: 2 },
        state: {
          kind: 'state',
          value: 'state',
          words: t.states,
          tones: { asked: 'warn', confirmed: 'good', left: 'plain' },
          grow: 0.6,
          card: 'plain',
        },
        devices: {
          kind: 'text',
          value: ({ machineIds }) =>
            machineIds.length <= 2 && machineIds.every((id) => names.has(id))
              ? machineIds.map((id) => names.get(id)).join(', ')
              : t.devices(formatNumber(machineIds.length)),
          grow: 1.4,
          card: 'plain',
        },
        mayConfirm: {
          kind: 'text',
          value: ({ mayConfirm }) => (mayConfirm ? t.yes : t.no),
          width: 150,
          grow: 0,
        },
      }}
      search={t.search}
      searched={({ email }) => [email]}
      hasKeys={false}
      touched={[notificationsKey]}
      add={maySet && { label: t.add, opens: dialog }}
      acts={
        maySet
          ? [
              {
                label: t.again,
                of: ({ name }) => t.againOf(name),
                fits: ({ state }) => state === 'asked',
                run: ({ id }) => acts.ask(id),
                done: t.asked,
              },
              { label: t.edit, of: ({ name }) => t.editOf(name), opens: dialog },
              {
                label: t.remove,
                of: ({ name }) => t.removeOf(name),
                asks: { title: ({ name }) => t.removeTitle(name), body: t.removeBody },
                run: ({ id }) => acts.remove(id),
                done: t.removed,
              },
            ]
          : []
      }
      empty={{ icon: 'mail', title: t.empty, hint: t.emptyHint }}
    />
  )
}
