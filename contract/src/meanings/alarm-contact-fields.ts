const contactName = ['邮件接收人姓名', 'The recipient’s name'] as const
const contactEmail = ['邮件接收人邮箱', 'The recipient’s e-mail address'] as const
const machineIds = ['向该接收人发送报警的设备', 'Devices whose alarms the recipient gets'] as const
const lang = ['邮件语言', 'The language of the e-mails'] as const
const state = [
  'asked 待确认，confirmed 已确认，left 已退订',
  'asked: to be confirmed; confirmed; left: unsubscribed',
] as const
const mayConfirm = ['是否允许接收人确认报警', 'Whether the recipient can acknowledge alarms'] as const

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
  contactIds: ['邮件接收人', 'The e-mail recipients'],
  'escalation.eid': ['企业；与 machineId 二选一', 'The enterprise; either this or machineId is given'],
  'escalation.machineId': ['设备；与 eid 二选一', 'The device; either this or eid is given'],
  'escalation.userIds': ['用户', 'The people'],
  how: [
    'push 页面推送，voice 语音，message 消息中心，sms 短信，email 邮件',
    'push: pages; voice: spoken by pages; message: Messages; sms; email',
  ],
  isOwn: ['是否为设备单独设置', 'Whether the device has steps of its own'],
  leftAt: ['退订时间', 'When the recipient unsubscribed'],
  'link.confirmed': ['是否由本次操作确认', 'Whether this call acknowledged it'],
  'link.confirmedAt': ['确认时间；空为未确认', 'When it was acknowledged; null: not yet'],
  'link.expireAt': ['链接的到期时间', 'When the link expires'],
  'link.mayConfirm': ['是否可通过此链接确认', 'Whether it can be acknowledged by this link'],
  'link.timeZone': ['读者的时区', 'The zone of the reader'],
  'link.token': ['邮件链接中的令牌', 'The token of the link in the mail'],
  maySet: ['当前用户是否可以修改', 'Whether the caller can change it'],
  'List-Unsubscribe': ['邮件客户端一键退订时发送', 'Sent by mail programs for one click'],
  steps: ['升级步骤', 'The steps, in their order'],
  'unsubscribe.from': ['添加此接收人的用户或企业', 'The person or enterprise that added the recipient'],
  'unsubscribe.left': ['是否已退订', 'Whether the recipient has unsubscribed'],
  'unsubscribe.token': ['邮件链接中的令牌', 'The token of the link in the mail'],
  'steps.who': [
    'keys 钥匙持有人，members 负责报警的成员，userIds 指定用户，contactIds 指定邮件接收人',
    'keys: key holders; members: members who handle alarms; userIds: selected people; contactIds: selected e-mail recipients',
  ],
} as const satisfies Readonly<Record<string, readonly [cn: string, en: string]>>
