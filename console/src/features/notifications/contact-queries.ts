import { alarmContacts, type RequestOf } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { notificationsKey } from './notification-queries.ts'

export type Contact = alarmContacts.AlarmContact
type Asked = PageSpace['asked']
export type ContactFields = Omit<RequestOf<typeof alarmContacts.createContact>, 'lang'> & {
  lang: 'cn' | 'en'
}

export function contactsQuery({ eid }: Asked) {
  return queryOptions({
    queryKey: [...notificationsKey, 'contacts', eid ?? 0],
    queryFn: ({ signal }) =>
      eid === undefined
        ? call(alarmContacts.listContacts, {}, { signal, noNotice: true })
        : call(alarmContacts.listEnterpriseContacts, { eid }, { signal, noNotice: true }),
  })
}

/** The acts on contacts of a space: a person's, or an enterprise's. */
export const contactActs = ({ eid }: Asked) => ({
  create: (fields: ContactFields) =>
    eid === undefined
      ? call(alarmContacts.createContact, fields)
      : call(alarmContacts.createEnterpriseContact, { ...fields, eid }),
  update: (id: number, fields: ContactFields) =>
    eid === undefined
      ? call(alarmContacts.updateContact, { ...fields, id })
      : call(alarmContacts.updateEnterpriseContact, { ...fields, id, eid }),
  ask: (id: number) =>
    eid === undefined
      ? call(alarmContacts.askContact, { id })
      : call(alarmContacts.askEnterpriseContact, { id, eid }),
  remove: (id: number) =>
    eid === undefined
      ? call(alarmContacts.removeContact, { id })
      : call(alarmContacts.removeEnterpriseContact, { id, eid }),
})

/** The escalation of a machine, or of an enterprise for all of its machines. */
export type EscalationOf = { readonly machineId: number } | { readonly eid: number }

export function escalationQuery(of: EscalationOf) {
  return queryOptions({
    queryKey: [...notificationsKey, 'escalation', of],
    queryFn: ({ signal }) => call(alarmContacts.getEscalation, of, { signal, noNotice: true }),
  })
}
