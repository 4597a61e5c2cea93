const state = [
  'waiting 等待合并发送，queued 待发送，sent 已发送，delivered 已送达，failed 发送失败，skipped 未发送，limited 已限量，noStock 余量不足',
  'waiting: for the digest; queued: to be sent; sent: its provider took it; delivered: it arrived; failed: it did not; skipped: not sent; limited: there were too many; noStock: the SMS balance was too low',
] as const
const reason = [
  '未单独发送或失败的原因；空为无',
  'Why it was not sent, failed or waits; empty: it was sent',
] as const
const recordTime = ['通知时间', 'When it was decided'] as const
const recipient = ['接收人', 'The person or contact who was told'] as const
const level = ['当时的报警级别', 'The level of the alarm then'] as const

/** Fields about telling people of alarms: in Chinese, and in English; keys as in people-fields.ts. */
export const notificationFields = {
  blur: ['设备名称或机器码的一部分', 'Part of the machine’s name or code'],
  browser: ['浏览器通知：0 关，1 开', 'Notifications of the browser: 0 off, 1 on'],
  channel: [
    'push 页面推送，voice 语音，message 消息中心，sms 短信，email 邮件，browser 浏览器通知',
    'push: pages; voice: spoken by pages; message: message centre; sms; email; browser: its notifications',
  ],
  'page.createTime': recordTime,
  'smsLoggerPage.createTime': recordTime,
  'emailLoggerPage.createTime': recordTime,
  'told.createTime': recordTime,
  emailFlag: ['邮件：0 关，1 开', 'E-mails: 0 off, 1 on'],
  emailMasked: ['已打码的邮箱', 'The e-mail address, masked'],
  'page.level': level,
  'smsLoggerPage.level': level,
  'emailLoggerPage.level': level,
  'told.level': level,
  linkFlag: [
    '短信附带确认报警的链接（多占 1 至 2 条）：0 关，1 开',
    'The SMS has a link that confirms the alarm, for one or two segments more: 0 off, 1 on',
  ],
  'page.machine': ['设备名称', 'The machine’s name'],
  'smsLoggerPage.machine': ['设备名称', 'The machine’s name'],
  'emailLoggerPage.machine': ['设备名称', 'The machine’s name'],
  machineSmsDailyAmount: [
    '每台设备每天最多发给本人的条数（首条报警不限）',
    'Messages a day about one machine to this person; a first alarm always goes',
  ],
  'page.name': recipient,
  'smsLoggerPage.name': recipient,
  'emailLoggerPage.name': recipient,
  quietFrom: ['免打扰开始时间，如 22:30；空为不设', 'When quiet hours begin, such as 22:30; empty: none'],
  quietTo: ['免打扰结束时间；紧急报警不受限', 'When quiet hours end; critical alarms pass'],
  'page.reason': reason,
  'smsLoggerPage.reason': reason,
  'emailLoggerPage.reason': reason,
  'told.reason': reason,
  'sharedAccounts.role': [
    'akey、bkey 钥匙持有人，visitor 访客，member 企业成员',
    'akey, bkey: holds a key; visitor; member: of the enterprise',
  ],
  'sharedAccounts.accountMasked': ['已打码的手机号或邮箱', 'The phone number or e-mail address, masked'],
  segments: ['计费条数', 'The segments it costs'],
  settledAt: ['得到结果的时间', 'When its outcome was known'],
  smsDailyAmount: [
    '每人每天最多条数（首条报警不限）',
    'Messages a day to one person; a first alarm always goes',
  ],
  smsFlag: ['短信：0 关，1 开', 'SMS: 0 off, 1 on'],
  smsMachineDailyAmount: ['每台设备每天最多发给一人的条数', 'Messages a day about one machine to one person'],
  'page.state': state,
  'smsLoggerPage.state': state,
  'emailLoggerPage.state': state,
  'told.state': state,
  'page.startTime': ['从此时间起', 'From this instant'],
  'page.endTime': ['此时间之前', 'Before this instant'],
  'smsLoggerPage.startTime': ['从此时间起', 'From this instant'],
  'smsLoggerPage.endTime': ['此时间之前', 'Before this instant'],
  'emailLoggerPage.startTime': ['从此时间起', 'From this instant'],
  'emailLoggerPage.endTime': ['此时间之前', 'Before this instant'],
  'page.subject': ['主题', 'The subject'],
  'emailLoggerPage.subject': ['主题', 'The subject'],
  'page.text': ['短信内容', 'What it says of the alarm'],
  'smsLoggerPage.text': ['短信内容', 'What it says of the alarm'],
  'page.userId': ['接收人的用户 ID', 'The user’s id of the person who was told'],
  'smsLoggerPage.userId': ['接收人的用户 ID', 'The user’s id of the person who was told'],
  usedToday: [
    '今天已发送的短信条数：发给本人的，以及本人设备发给他人的',
    'SMS segments sent today: to this person, and about their devices to others',
  ],
  userEmailFlag: ['邮件：0 关，1 开', 'E-mails: 0 off, 1 on'],
  userSmsDailyAmount: ['每天最多条数（首条报警不限）', 'Messages a day; a first alarm always goes'],
  userSmsFlag: ['短信：0 关，1 开', 'SMS: 0 off, 1 on'],
  voice: ['语音播报紧急报警：0 关，1 开', 'Critical alarms are spoken: 0 off, 1 on'],
} as const satisfies Readonly<Record<string, readonly [cn: string, en: string]>>
