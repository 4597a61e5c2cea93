const contactName = ['联系人姓名', 'The contact’s name'] as const
const contactEmail = ['联系人邮箱', 'The contact’s e-mail address'] as const
const machineIds = ['向该联系人发送报警的设备', 'Devices whose alarms go to the contact'] as const
const lang = ['邮件语言', 'The language of the e-mails'] as const
const state = [
  'asked 待确认，confirmed 已确认，left 已退订',
  'asked: to be confirmed; confirmed; left: unsubscribed',
] as const
const mayConfirm = ['是否允许联系人确认报警', 'Whether the contact may acknowledge alarms'] as const

/** Fields about contacts, escalation and links: in Chinese, and in English; keys as in people-fields.ts. */
export const alarmContactFields = {
  afterMinutes: ['距上一步的分钟数', 'Minutes after the step before'],
  askedAt: ['确认邮件的发送时间', 'When the mail with the link was sent'],
  'alarmContact.email': contactEmail,
  'alarmContact.lang': lang,
  'alarmContact.machineIds': machineIds,
  'alarmContact.mayConfirm': mayConfirm,
  'alarmContact.name': contactName,
  'alarmContact.state': state,
  'confirm.confirmed': ['是否已确认', 'Whether it is confirmed'],
  'confirm.token': ['邮件链接中的令牌', 'The token of the link in the mail'],
  'contact.email': contactEmail,
  'contact.lang': lang,
  'contact.machineIds': machineIds,
  'contact.mayConfirm': mayConfirm,
  'contact.name': contactName,
  'contact.state': state,
  contactIds: ['联系人', 'The contacts'],
  'escalation.eid': ['企业；与 machineId 二选一', 'The enterprise; give either this or machineId'],
  'escalation.machineId': ['设备；与 eid 二选一', 'The machine; give either this or eid'],
  'escalation.userIds': ['用户', 'The people'],
  how: [
    'push 页面推送，voice 语音，message 消息中心，sms 短信，email 邮件',
    'push: pages; voice: spoken by pages; message: message centre; sms; email',
  ],
  isOwn: ['是否为设备自己的设置', 'Whether the steps are its own'],
  leftAt: ['退订时间', 'When the contact left'],
  'link.confirmed': ['是否由本次操作确认', 'Whether this press acknowledged it'],
  'link.confirmedAt': ['确认时间；空为未确认', 'When it was acknowledged; null: it is not'],
  'link.expireAt': ['链接的到期时间', 'When the link expires'],
  'link.mayConfirm': ['是否可通过此链接确认', 'Whether it can be acknowledged by this link'],
  'link.timeZone': ['读者的时区', 'The zone of the reader'],
  'link.token': ['邮件链接中的令牌', 'The token of the link in the mail'],
  'List-Unsubscribe': ['邮件客户端一键退订时发送', 'Sent by mail programs for one click'],
  steps: ['升级步骤', 'The steps, in their order'],
  'unsubscribe.from': ['联系人所属的用户或企业', 'The person or the enterprise'],
  'unsubscribe.left': ['是否已退订', 'Whether the contact has left'],
  'unsubscribe.token': ['邮件链接中的令牌', 'The token of the link in the mail'],
  'steps.who': [
    'keys 持钥匙者，members 负责报警的成员，userIds 指定用户，contactIds 指定联系人',
    'keys: holders of keys; members: members who look after alarms; userIds: these people; contactIds: these contacts',
  ],
} as const satisfies Readonly<Record<string, readonly [cn: string, en: string]>>
