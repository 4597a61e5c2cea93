import { applications, type messages } from '@busbar/contract'
import type { Screen } from './screen.ts'
import type { Lang } from './texts.ts'
import type { View } from './view.ts'

/* The message centre, and applying: messages of every kind are made up, so that they appear in one list. */

const { waiting, waitsForAkey, refusedByAkey, passed } = applications.auditStates
const minuteMs = 60_000

type Message = messages.Message
type Words = readonly [title: string, body: string]

const words: Record<
  Lang,
  Record<'visit' | 'bind' | 'offer' | 'reports' | 'sent' | 'refused' | 'success' | 'quota' | 'target', Words>
> = {
  cn: {
    visit: ['访问申请', '李明 申请访问“二号杀菌机”，可读写。留言：维修进料泵'],
    bind: ['Bkey 申请', '陈晓燕 申请成为“二号杀菌机”的 Bkey'],
    offer: ['设备转让', '周伟 请求将“旧包装线”转让给您，接受后您成为其 Akey'],
    reports: ['接收定期报告', '青岛乳业有限公司 希望通过邮件向您发送设备的定期报告，您同意之前不会发送'],
    sent: ['访问申请已提交', '您访问“五号灌装机”（只读）的申请已提交，等待钥匙持有人审核'],
    refused: ['访问申请未通过', '您访问“六号灌装机”的申请被 Akey 拒绝'],
    success: ['访问申请已通过', '您可以访问“七号灌装机”了：可读写，长期有效'],
    quota: ['项目额度即将用完', '项目“注塑 MES 对接”本月的数据行额度已使用 95%'],
    target: [
      '数据去向持续失败',
      '项目“注塑 MES 对接”的数据去向“MES”持续投递失败。数据不会丢失，将继续重试，最长 72 小时',
    ],
  },
  en: {
    visit: [
      'Visit request',
      'Ben Carter requests read-write access to “Plate pasteuriser”. Message: feed pump',
    ],
    bind: ['Bkey request', 'Maria Schneider-Lindqvist requests to become a Bkey of “Plate pasteuriser”'],
    offer: [
      'Device transfer',
      'Tom Baker wants to transfer “Old packing line” to you. If you accept, you become its Akey',
    ],
    reports: [
      'Scheduled reports by e-mail',
      'Northern Dairy Cooperative wants to send you scheduled reports about devices by e-mail. They are sent only after you agree',
    ],
    sent: [
      'Request sent',
      'You requested read-only access to “Filler 5”. The key holders have been notified',
    ],
    refused: ['Visit request not approved', 'You requested a visit to “Filler 6”. The Akey declined'],
    success: ['Visit request approved', 'You can now visit “Filler 7”: read-write, without expiry'],
    quota: ['Quota running out', 'The project “Moulding MES” has used 95% of its rows of this month'],
    target: [
      'A destination fails',
      'The destination “MES” of the project “Moulding MES” fails. No row is lost; it is tried again for 72 hours',
    ],
  },
}

const machine = (lang: Lang, place: number): Message['machine'] => ({
  machineId: 900 + place,
  machineCode: `88${String(place).padStart(17, '0')}`,
  name: [
    ['二号杀菌机', '旧包装线', '五号灌装机'],
    ['Plate pasteuriser', 'Old packing line', 'Filler 5'],
  ][lang === 'cn' ? 0 : 1]?.[place] as string,
})

function message(lang: Lang, id: number, key: keyof (typeof words)['cn'], more: Partial<Message>): Message {
  const [title, body] = words[lang][key]
  return {
    id,
    type: 'notice',
    title,
    body,
    times: [],
    machine: machine(lang, 0),
    applyId: id,
    contactId: null,
    transferId: null,
    invitationId: null,
    handoverId: null,
    alarmId: null,
    boardId: null,
    projectId: null,
    auditState: null,
    isResult: false,
    mayAnswer: false,
    outcome: null,
    read: true,
    created_at: Date.now() - id * id * 17 * minuteMs,
    ...more,
  }
}

const inbox = (lang: Lang): Message[] => [
  message(lang, 1, 'visit', { type: 'visitApply', auditState: waiting, mayAnswer: true, read: false }),
  message(lang, 2, 'bind', { type: 'bindApply', auditState: waitsForAkey, mayAnswer: true, read: false }),
  message(lang, 3, 'offer', {
    type: 'transfer',
    applyId: null,
    transferId: 3,
    mayAnswer: true,
    machine: machine(lang, 1),
  }),
  message(lang, 9, 'reports', {
    ...{ type: 'reportRequest', applyId: null, contactId: 9, machine: null, mayAnswer: true },
    created_at: Date.now() - 19 * minuteMs,
  }),
  message(lang, 4, 'visit', { type: 'visitApply', auditState: passed }),
  message(lang, 5, 'visit', { type: 'visitApply', auditState: refusedByAkey }),
]

const sent = (lang: Lang): Message[] => [
  message(lang, 6, 'sent', { type: 'send', auditState: waiting, machine: machine(lang, 2) }),
  message(lang, 7, 'refused', { type: 'reply', auditState: refusedByAkey, isResult: true, read: false }),
  message(lang, 8, 'success', { type: 'visitSuccess', auditState: passed, isResult: true }),
]

const ofProject = { type: 'projectAlarm', machine: null, applyId: null, projectId: 1 } as const
const projectAlarms = (lang: Lang): Message[] => [
  message(lang, 10, 'target', { ...ofProject, read: false }),
  message(lang, 11, 'quota', ofProject),
]

/** The platform's answer with these messages. */
async function answer({ page, lang }: View): Promise<void> {
  const all = [...inbox(lang), ...sent(lang), ...projectAlarms(lang)]
  const ok = (hwdata: unknown) => ({ json: { hwcode: 0, hwreason: 'OK', hwdata } })
  const scenes: Readonly<Record<string, Message[]>> = {
    inbox: inbox(lang),
    sent: sent(lang),
    project: projectAlarms(lang),
  }
  const byScene = { inbox: 2, sent: 1, alarm: 0, project: 1, device: 128 }
  await page.route('**/api/msg/v1/totalUnread*', (route) =>
    route.fulfill(ok({ totalUnreadMsg: 131, byScene, toAnswer: 3 })),
  )
  await page.route('**/api/msg/v1/read*', (route) => route.fulfill(ok({ read: 1, totalUnreadMsg: 131 })))
  await page.route('**/api/msg/v1/page*', (route) => {
    const { scene } = route.request().postDataJSON() as { scene: string }
    const list = scenes[scene] ?? []
    const total = scene === 'inbox' ? 1_205 : list.length
    return route.fulfill(ok({ list, total, page: 1, pageSize: 50, totalUnreadMsg: 131 }))
  })
  await page.route('**/api/msg/v1/detail/*', (route) => {
    const id = Number(new URL(route.request().url()).pathname.split('/').pop())
    const found = all.find((each) => each.id === id)
    return route.fulfill(ok(found && { ...found, application: applicationOf(found, lang) }))
  })
  await page.route('**/api/v1/devices/auditProcess*', (route) => route.fulfill(ok(steps(lang))))
}

function applicationOf({ applyId, type }: Message, lang: Lang) {
  if (applyId === null) return null
  return {
    applyId,
    kind: type === 'bindApply' ? 'bind' : 'visit',
    person: lang === 'cn' ? '李明' : 'Ben Carter',
    phone: '138****8000',
    message: lang === 'cn' ? '维修进料泵' : 'feed pump',
    remarks: '',
    terminalName: 'Chrome 153 · Windows',
    wish: 'rw',
    expireAt: Date.now() + 1_300 * minuteMs,
  }
}

function steps(lang: Lang): applications.ApplicationStepRow[] {
  const step = { applyId: 1, kind: 'visit' as const, key: '' as const, state: waiting }
  const [applicant, bkey] = lang === 'cn' ? ['李明', '陈晓燕'] : ['Ben Carter', 'Maria Schneider-Lindqvist']
  return [
    { ...step, step: 'applied', byMasked: applicant, at: Date.now() - 17 * minuteMs },
    { ...step, step: 'passed', key: 'B', byMasked: bkey, state: waitsForAkey, at: Date.now() - 4 * minuteMs },
  ]
}

function screen(name: string, address: string, then?: (view: View) => Promise<void>): Screen {
  return {
    name: `messages${name}`,
    signedIn: true,
    async arrive(view) {
      await answer(view)
      await view.page.goto(address)
      await view.page.getByRole('region').first().waitFor()
      await then?.(view)
    },
  }
}

/** The message centre with its tabs, every kind of answer and the confirmation of a deletion. */
export const messageScreens: readonly Screen[] = [
  screen('', '/msgCenter'),
  screen('-sent', '/msgCenter?tab=sent'),
  screen('-project', '/msgCenter?tab=project&message=10'),
  screen('-empty', '/msgCenter?tab=device'),
  // The demo's own: what its rules told its people.
  {
    name: 'messages-alarms',
    signedIn: true,
    async arrive({ page, t }) {
      await page.goto('/msgCenter?tab=alarm')
      await page.getByRole('region', { name: t.messages.tabs.alarm }).waitFor()
    },
  },
  screen('-visit', '/msgCenter?message=1', async ({ page, t }) => {
    await page.getByRole('button', { name: t.applications.answer.refuse, exact: true }).waitFor()
  }),
  screen('-bind', '/msgCenter?message=2', async ({ page, t }) => {
    await page.getByRole('button', { name: t.applications.answer.makeBkey }).waitFor()
  }),
  screen('-transfer', '/msgCenter?message=3', async ({ page, t }) => {
    await page.getByRole('button', { name: t.messages.transfer.accept }).waitFor()
  }),
  screen('-reports', '/msgCenter?message=9', async ({ page, t }) => {
    await page.getByRole('button', { name: t.messages.reportRequest.accept }).waitFor()
  }),
  screen('-waiting', '/msgCenter?tab=sent&message=6', async ({ page, t }) => {
    await page.getByRole('button', { name: t.applications.withdraw.action }).waitFor()
  }),
  screen('-block', '/msgCenter?message=1', async ({ page, t }) => {
    await page.getByRole('button', { name: t.applications.answer.block }).click()
  }),
  screen('-delete', '/msgCenter', async ({ page, t }) => {
    await page.getByRole('checkbox', { name: t.messages.selectAll }).click()
    await page.getByRole('button', { name: t.messages.remove, exact: true }).first().click()
  }),
  screen('-bell', '/msgCenter', async ({ page, t }) => {
    await page.getByRole('button', { name: t.app.header.unread(131) }).click()
  }),
]
