import type { Screen } from './screen.ts'
import type { Lang } from './texts.ts'
import type { View } from './view.ts'

/* The notifications of alarms with made-up balances, records and recipients, so that every outcome is seen. */

const at = Date.UTC(2026, 10, 20, 6, 30)
const minuteMs = 60_000

const words: Record<Lang, Record<'machine' | 'second' | 'person' | 'text' | 'subject', string>> = {
  cn: {
    machine: '二号杀菌机',
    second: '五号灌装机',
    person: '陈晓燕',
    text: '【紧急】二号杀菌机：保温温度过低，71.2 °C（限值 72 °C）',
    subject: '紧急报警：二号杀菌机保温温度过低',
  },
  en: {
    machine: 'Plate pasteuriser',
    second: 'Filler 5',
    person: 'Maria Schneider-Lindqvist',
    text: 'Critical: Plate pasteuriser, holding temperature too low, 71.2 °C (limit 72 °C)',
    subject: 'Critical alarm: Plate pasteuriser, holding temperature too low',
  },
}

const outcomes = [
  ['delivered', ''],
  ['sent', 'maybeTwice'],
  ['failed', 'undelivered'],
  ['limited', 'limited'],
  ['noStock', 'noStock'],
  ['skipped', 'off'],
  ['skipped', 'quietHours'],
  ['skipped', 'shelved'],
  ['waiting', 'digest'],
] as const

const paged = (list: readonly unknown[]) => ({ list, total: list.length, page: 1, pageSize: 50 })

function answersOf(lang: Lang): Readonly<Record<string, unknown>> {
  const { machine, second, person, text, subject } = words[lang]
  const config = { userSmsFlag: 1, userEmailFlag: 0, userSmsDailyAmount: 50, machineSmsDailyAmount: 20 }
  const records = outcomes.map(([state, reason], place) => ({
    ...{ createTime: at - place * minuteMs, machine: place % 2 ? second : machine, machineId: 901 },
    ...{ alarmId: place + 1, level: 'critical', state, reason, digestCount: place === 1 ? 12 : 1 },
    ...{ settledAt: at, name: person, phoneMasked: '138****5678', text, segments: 2 },
    ...{ emailMasked: 'm***@example.com', subject },
  }))
  const shared = (['akey', 'bkey', 'visitor'] as const).map((role, place) => ({
    ...{ userId: place + 1, name: person, accountMasked: '138****5678', role, told: place < 2 },
  }))
  const devices = [machine, second].map((machineName, place) => ({
    ...{
      machineId: 901 + place,
      machineName,
      machineCode: `B0000000000${place}`,
      smsFlag: place,
      emailFlag: 1,
      linkFlag: place,
    },
    ...{ recipients: 3, sharedAccounts: shared },
  }))
  const contacts = (['confirmed', 'asked', 'left'] as const).map((state, place) => ({
    ...{ id: place + 1, name: person, email: `contact${place}@example.com`, lang, state },
    ...{ machineIds: [901, 902, 903].slice(place), mayConfirm: place === 0 },
    ...{ askedAt: at, confirmedAt: place ? null : at, leftAt: place === 2 ? at : null },
  }))
  const step = { who: 'keys', userIds: [], contactIds: [], how: ['message', 'sms'] }
  return {
    '/api/v1/alarm/userMsgConfig': {
      ...{
        ...config,
        eid: null,
        stock: 1286,
        hadStock: true,
        usedToday: 14,
        voice: 1,
        browser: 0,
        signature: '',
      },
      ...{ quietFrom: '22:00', quietTo: '06:30' },
    },
    '/api/v1/alarm/ways': {
      ways: [
        { way: 'message', hindrance: null },
        { way: 'push', hindrance: null },
        { way: 'email', hindrance: 'noService' },
        { way: 'sms', hindrance: null },
      ],
      ...{ terminals: 2, stock: 1286 },
    },
    '/api/msg/v1/ent/alarm/listPersonalMachine': paged(devices),
    '/api/msg/v1/alarm/sms/page': { ...paged(records), isCut: false },
    '/api/msg/v1/alarm/email/page': { ...paged(records), isCut: false },
    '/api/v1/sms/sale-list': paged(
      (['refund', 'recharge'] as const).map((type, place) => ({
        ...{
          type,
          count: place ? 2000 : 100,
          remaining: 1300,
          note: 'PO 4711',
          createTime: at - place * minuteMs,
        },
      })),
    ),
    '/api/v1/alarm/contact': contacts,
    '/api/v1/alarm/escalation': {
      steps: [
        { ...step, afterMinutes: 10 },
        { ...step, afterMinutes: 20, who: 'contactIds', contactIds: [1], how: ['email'] },
      ],
      isOwn: true,
    },
  }
}

async function answer({ page, lang }: View) {
  for (const [path, data] of Object.entries(answersOf(lang)))
    await page.route(
      (url) => url.pathname === path,
      (route) => route.fulfill({ json: { hwcode: 0, hwreason: 'OK', hwdata: data } }),
    )
}

function screen(name: string, search: string, arrived: (view: View) => Promise<void>): Screen {
  return {
    name: `notifications${name}`,
    signedIn: true,
    async arrive(view) {
      await answer(view)
      await view.page.goto(`/alarmCenter/notifications?eid=0${search}`)
      await arrived(view)
    },
  }
}

/** The notifications of a person: each part, and each list of SMS. */
export const notificationScreens: readonly Screen[] = [
  screen('', '', async ({ page, t, lang }) => {
    await page.getByRole('switch', { name: t.notifications.devices.switchSms(words[lang].second) }).waitFor()
    await page.getByText('1,286').first().waitFor()
  }),
  screen('-sent', '&list=sent', ({ page, t }) =>
    page.getByText(t.notifications.reasons.quietHours).first().waitFor(),
  ),
  screen('-sales', '&list=sales', ({ page }) => page.getByText('PO 4711').first().waitFor()),
  screen('-email', '&part=email', ({ page }) => page.getByText('contact0@example.com').waitFor()),
  screen('-escalation', '&part=escalation', ({ page, t }) =>
    page.getByRole('heading', { name: t.notifications.escalation.step('2') }).waitFor(),
  ),
  screen('-settings', '&part=settings', ({ page, t }) =>
    page.getByRole('switch', { name: t.notifications.settings.browser }).waitFor(),
  ),
]
