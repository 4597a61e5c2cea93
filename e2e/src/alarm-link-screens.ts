import { alarmLinks as cn } from '../../console/src/shared/i18n/cn/alarm-links.ts'
import { alarmLinks as en } from '../../console/src/shared/i18n/en/alarm-links.ts'
import type { Screen } from './screen.ts'
import type { Lang } from './texts.ts'
import type { View } from './view.ts'

/* The pages of links in mails with made-up alarms and contacts, in each of their states. */

/** The words of these pages, which are separate from the console's. */
export const linkWords = { cn: cn.alarmLinks, en: en.alarmLinks } as const

const at = Date.UTC(2026, 10, 20, 6, 30)
const minuteMs = 60_000

const facts: Record<Lang, Record<'machine' | 'text' | 'person' | 'from', string>> = {
  cn: { machine: '二号杀菌机', text: '保温温度过低', person: '陈晓燕', from: '青岛乳业有限公司' },
  en: {
    machine: 'Plate pasteuriser',
    text: 'Holding temperature too low',
    person: 'Maria Schneider-Lindqvist',
    from: 'Northern Dairy Cooperative',
  },
}

const alarmOf = (lang: Lang) => ({
  ...{ machineName: facts[lang].machine, level: 'critical', text: facts[lang].text, lang },
  ...{ value: 71.2, limit: 72, unit: '°C', count: 3, raisedAt: at, clearedAt: null },
  ...{ confirmedAt: null as number | null, confirmedBy: null as string | null, mayConfirm: true },
  ...{ timeZone: 'Asia/Shanghai', expireAt: at + 7 * 24 * 60 * minuteMs },
})
const contactOf = (lang: Lang) => ({
  ...{ name: facts[lang].person, emailMasked: 'm***@example.com', from: facts[lang].from, lang },
})

function screen(
  name: string,
  path: string,
  api: string,
  answerOf: (lang: Lang) => object,
  titleOf: (t: (typeof linkWords)[Lang]) => string,
): Screen {
  return {
    name: `mail-link-${name}`,
    signedIn: false,
    async arrive({ page, lang }: View) {
      await page.route(
        (url) => url.pathname === api,
        (route) => route.fulfill({ json: { hwcode: 0, hwreason: 'OK', hwdata: answerOf(lang) } }),
      )
      await page.goto(path)
      await page.getByRole('heading', { name: titleOf(linkWords[lang]), level: 1 }).waitFor()
    },
  }
}

const alarm = (
  name: string,
  change: (lang: Lang) => object,
  titleOf = (t: (typeof linkWords)[Lang]) => t.alarm.title,
) =>
  screen(
    name,
    '/alarm/link/made-up',
    '/api/v1/alarm/link/made-up',
    (lang) => ({ ...alarmOf(lang), ...change(lang) }),
    titleOf,
  )

/** The alarm of a mail, the confirmation of a contact's address, and leaving. */
export const alarmLinkScreens: readonly Screen[] = [
  alarm('alarm', () => ({})),
  alarm('alarm-not-allowed', () => ({ mayConfirm: false })),
  alarm(
    'alarm-confirmed',
    (lang) => ({
      ...{ mayConfirm: false, confirmedAt: at + 4 * minuteMs, confirmedBy: facts[lang].person },
      clearedAt: at + 9 * minuteMs,
    }),
    (t) => t.alarm.doneTitle,
  ),
  {
    name: 'mail-link-unknown',
    signedIn: false,
    async arrive({ page, lang }) {
      await page.goto('/alarm/link/made-up')
      await page.getByRole('heading', { name: linkWords[lang].unknownTitle }).waitFor()
    },
  },
  screen(
    'contact',
    '/contact/made-up',
    '/api/v1/alarm/contact/confirm/made-up',
    (lang) => ({ ...contactOf(lang), about: 'alarms', confirmed: false }),
    (t) => t.contact.alarms.title,
  ),
  screen(
    'contact-reports',
    '/contact/made-up',
    '/api/v1/alarm/contact/confirm/made-up',
    (lang) => ({ ...contactOf(lang), about: 'reports', confirmed: false }),
    (t) => t.contact.reports.title,
  ),
  screen(
    'unsubscribe-reports',
    '/unsubscribe/made-up',
    '/api/v1/alarm/unsubscribe/made-up',
    (lang) => ({ ...contactOf(lang), about: 'reports', left: false }),
    (t) => t.unsubscribe.reports.title,
  ),
  screen(
    'unsubscribe-account',
    '/unsubscribe/made-up',
    '/api/v1/alarm/unsubscribe/made-up',
    (lang) => ({ ...contactOf(lang), about: 'account', from: '', left: false }),
    (t) => t.unsubscribe.account.title,
  ),
  screen(
    'unsubscribe',
    '/unsubscribe/made-up',
    '/api/v1/alarm/unsubscribe/made-up',
    (lang) => ({ ...contactOf(lang), about: 'alarms', left: false }),
    (t) => t.unsubscribe.alarms.title,
  ),
  screen(
    'unsubscribed',
    '/unsubscribe/made-up',
    '/api/v1/alarm/unsubscribe/made-up',
    (lang) => ({ ...contactOf(lang), about: 'account', from: '', left: true }),
    (t) => t.unsubscribe.account.doneTitle,
  ),
]
