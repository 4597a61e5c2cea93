import { z } from 'zod'
import { email } from './account-fields.ts'
import { alarmLimits } from './alarm-limits.ts'
import { id, instant, nothing, shortText, withoutMarkup } from './fields.ts'
import { route } from './route.ts'
import { languages } from './text.ts'

export * from './alarm-escalation.ts'
export * from './alarm-links.ts'

/**
 * Whether alarms go to a contact: they do once the address was confirmed by the link of the first mail, until the contact
 * leaves by the link that is in every mail.
 */
export const contactStates = ['asked', 'confirmed', 'left'] as const
export type ContactState = (typeof contactStates)[number]

const contact = z.object({
  id,
  name: z.string(),
  email: z.string(),
  lang: z.enum(languages),
  machineIds: z.array(id).describe('Devices whose alarms go to the contact'),
  state: z.enum(contactStates),
  mayConfirm: z.boolean().describe('The contact may acknowledge an alarm by the link in its mail'),
  askedAt: instant.nullable().describe('When the mail with the link was last sent; null: never'),
  confirmedAt: instant.nullable().describe('When the contact confirmed the address; null: not yet'),
  leftAt: instant.nullable().describe('When the contact unsubscribed; null: subscribed'),
})
export type AlarmContact = z.output<typeof contact>

const name = withoutMarkup(shortText(1, alarmLimits.contactNameMax))
const machineIds = z.array(id).min(1).max(alarmLimits.machinesPerContact)
const lang = z.enum(languages).describe('The language of the mails; without it the caller’s')
const mayConfirm = z.boolean().describe('Needs the Akey of each of its devices')

const written = { name, email, machineIds, lang: lang.optional(), mayConfirm: mayConfirm.default(false) }
const changed = {
  name: name.optional(),
  email: email.optional().describe('Another address is confirmed anew'),
  machineIds: machineIds.optional(),
  lang: lang.optional(),
  mayConfirm: mayConfirm.optional(),
}

export const listContacts = route({
  method: 'GET',
  path: '/api/v1/alarm/contact',
  who: 'user',
  title: { cn: '邮件接收人', en: 'List your e-mail recipients' },
  request: z.object({ machineId: id.optional().describe('Contacts of this device only') }),
  answer: z.array(contact),
  errors: [],
})

/** Each machine is one that the caller holds. */
export const createContact = route({
  method: 'POST',
  path: '/api/v1/alarm/contact',
  who: { right: 'holder', machines: 'machineIds' },
  limits: ['contactMails'],
  title: { cn: '添加邮件接收人', en: 'Add an e-mail recipient' },
  request: z.object(written),
  answer: z.object({ id }),
  errors: ['CONTACT_EXISTS', 'CONTACTS_FULL', 'CONTACT_MAILS_FULL', 'CONTACT_CONFIRM_KEY'],
})

export const updateContact = route({
  method: 'PUT',
  path: '/api/v1/alarm/contact/:id',
  who: 'user',
  limits: ['contactMails'],
  title: { cn: '修改邮件接收人', en: 'Change an e-mail recipient' },
  request: z.object({ id, ...changed }),
  answer: nothing,
  errors: ['403', '404', 'CONTACT_EXISTS', 'CONTACT_MAILS_FULL', 'CONTACT_CONFIRM_KEY'],
})

/** Sends the mail with the link again, at most once an hour. */
export const askContact = route({
  method: 'POST',
  path: '/api/v1/alarm/contact/:id/ask',
  who: 'user',
  limits: ['contactMails'],
  title: { cn: '重发邮件接收人的确认邮件', en: 'Send the confirmation e-mail to a recipient again' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404', 'CONTACT_ASKED', 'CONTACT_CONFIRMED', 'CONTACT_LEFT', 'CONTACT_MAILS_FULL'],
})

export const removeContact = route({
  method: 'DELETE',
  path: '/api/v1/alarm/contact/del',
  who: 'user',
  title: { cn: '删除邮件接收人', en: 'Delete an e-mail recipient' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404'],
})

const ofEnterprise = { ent: 'sms', eid: 'eid' } as const

export const listEnterpriseContacts = route({
  method: 'GET',
  path: '/api/msg/v1/ent/alarmContact',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '企业的邮件接收人', en: 'List an enterprise’s e-mail recipients' },
  request: z.object({ eid: id, machineId: id.optional().describe('Contacts of this device only') }),
  answer: z.array(contact),
  errors: [],
})

/** Each machine is one that the enterprise owns. */
export const createEnterpriseContact = route({
  method: 'POST',
  path: '/api/msg/v1/ent/alarmContact',
  who: ofEnterprise,
  limits: ['contactMails'],
  title: { cn: '添加企业的邮件接收人', en: 'Add an e-mail recipient of an enterprise' },
  request: z.object({ eid: id, ...written }),
  answer: z.object({ id }),
  errors: ['CONTACT_EXISTS', 'CONTACTS_FULL', 'CONTACT_MAILS_FULL', 'CONTACT_CONFIRM_KEY'],
})

export const updateEnterpriseContact = route({
  method: 'PUT',
  path: '/api/msg/v1/ent/alarmContact',
  who: ofEnterprise,
  limits: ['contactMails'],
  title: { cn: '修改企业的邮件接收人', en: 'Change an e-mail recipient of an enterprise' },
  request: z.object({ eid: id, id, ...changed }),
  answer: nothing,
  errors: ['403', '404', 'CONTACT_EXISTS', 'CONTACT_MAILS_FULL', 'CONTACT_CONFIRM_KEY'],
})

export const askEnterpriseContact = route({
  method: 'POST',
  path: '/api/msg/v1/ent/alarmContact/ask',
  who: ofEnterprise,
  limits: ['contactMails'],
  title: {
    cn: '重发企业邮件接收人的确认邮件',
    en: 'Send the confirmation e-mail to an enterprise’s recipient again',
  },
  request: z.object({ eid: id, id }),
  answer: nothing,
  errors: ['404', 'CONTACT_ASKED', 'CONTACT_CONFIRMED', 'CONTACT_LEFT', 'CONTACT_MAILS_FULL'],
})

export const removeEnterpriseContact = route({
  method: 'DELETE',
  path: '/api/msg/v1/ent/alarmContact',
  who: ofEnterprise,
  title: { cn: '删除企业的邮件接收人', en: 'Delete an e-mail recipient of an enterprise' },
  request: z.object({ eid: id, id }),
  answer: nothing,
  errors: ['404'],
})
