import { type ErrorKind, refusals } from './error-kind.ts'

/** Contacts who get alarms by e-mail, escalation, and links in mails. */
export const alarmContactErrors = {
  ...refusals({
    LINK_UNKNOWN: { cn: '链接无效或已过期', en: 'This link is invalid or has expired' },
    LINK_NOT_ALLOWED: {
      cn: '您没有确认该报警的权限',
      en: 'You aren’t allowed to acknowledge this alarm',
    },
    CONTACT_EXISTS: { cn: '该邮箱已在联系人中', en: 'A contact with this e-mail address already exists' },
    CONTACTS_FULL: {
      cn: '联系人最多 200 个',
      en: 'You can have up to 200 contacts',
    },
    CONTACT_MAILS_FULL: {
      cn: '今天发送的确认邮件过多，请明天再试',
      en: 'Too many confirmation e-mails were sent today. Try again tomorrow.',
    },
    CONTACT_ASKED: {
      cn: '确认邮件每小时只能发送一次',
      en: 'A confirmation e-mail can be sent once an hour',
    },
    CONTACT_CONFIRMED: { cn: '该联系人已确认', en: 'This contact is already confirmed' },
    CONTACT_LEFT: { cn: '该联系人已退订', en: 'This contact has unsubscribed' },
    CONTACT_CONFIRM_KEY: {
      cn: '须为全部所选设备的 Akey，才能允许联系人确认报警',
      en: 'Only the Akey of every selected device can let a contact acknowledge alarms',
    },
    ESCALATION_OF: {
      cn: '请指定设备或企业，二者选一',
      en: 'Give either a device or an enterprise',
    },
    ESCALATION_PEOPLE: {
      cn: '升级步骤中有无权接收该报警的人员或联系人',
      en: 'A step names a person or contact who may not get these alarms',
    },
  }),
} satisfies Record<string, ErrorKind>
