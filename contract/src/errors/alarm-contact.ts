import { type ErrorKind, refusals } from './error-kind.ts'

/** Contacts who get alarms by e-mail, escalation, and links in mails. */
export const alarmContactErrors = {
  ...refusals({
    LINK_UNKNOWN: { cn: '链接无效或已过期', en: 'This link is invalid or has expired' },
    LINK_NOT_ALLOWED: {
      cn: '您没有确认该报警的权限',
      en: 'You don’t have permission to acknowledge this alarm',
    },
    CONTACT_EXISTS: { cn: '该邮箱已是邮件接收人', en: 'This e-mail address is already a recipient' },
    CONTACTS_FULL: {
      cn: '邮件接收人最多 200 个',
      en: 'You can have up to 200 e-mail recipients',
    },
    CONTACT_MAILS_FULL: {
      cn: '今天发送的确认邮件过多，请明天再试',
      en: 'Too many confirmation e-mails were sent today. Try again tomorrow.',
    },
    CONTACT_ASKED: {
      cn: '确认邮件每小时只能发送一次',
      en: 'A confirmation e-mail can be sent once an hour',
    },
    CONTACT_CONFIRMED: { cn: '该邮件接收人已确认', en: 'This e-mail recipient is already confirmed' },
    CONTACT_LEFT: { cn: '该邮件接收人已退订', en: 'This e-mail recipient has unsubscribed' },
    CONTACT_CONFIRM_KEY: {
      cn: '须为全部所选设备的 Akey，才能允许邮件接收人确认报警',
      en: 'Only the Akey of every selected device can allow a recipient to acknowledge alarms',
    },
    ESCALATION_OF: {
      cn: '请指定设备或企业，二选一',
      en: 'Specify either a device or an enterprise',
    },
    ESCALATION_PEOPLE: {
      cn: '升级步骤中有无权接收该报警的人员或邮件接收人',
      en: 'A step includes a person or e-mail recipient who can’t receive these alarms',
    },
  }),
} satisfies Record<string, ErrorKind>
