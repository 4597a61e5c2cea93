import { settingsEntries } from '../../entities/account/settings-entries.ts'
import type { AlarmTab } from '../../entities/alarm/alarm-centre.tsx'
import type { OperatorText } from '../../features/back-office/operator-text.ts'
import { backOfficeParts } from '../../features/back-office/search.ts'
import { manageTabs } from '../../features/enterprise/search.ts'
import { shownMessageTabs } from '../../features/messages/search.ts'
import type { Text } from '../../shared/i18n/text.ts'
import type { Enterprise, Person } from '../../shared/session/account-queries.ts'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import { features } from '../shell/features.ts'
import type { Jump } from './jumps.ts'

interface Where {
  readonly text: Text
  /** Goes to an address of the console. */
  readonly go: (href: string) => void
  readonly enterprises: readonly Enterprise[]
  /** The space one is in; undefined: the personal one. */
  readonly eid: number | undefined
  readonly person: Person | undefined
  /** There once the person is known to be an operator. */
  readonly operatorText: OperatorText | undefined
}

/** The pages of the alarm centre beside its list. */
const alarmPages = [
  ['rules', 'sliders', '/alarmCenter/rules'],
  ['notifications', 'bell', '/alarmCenter/notifications'],
  ['quality', 'chart', '/alarmCenter/quality'],
] as const satisfies readonly (readonly [AlarmTab, IconName, string])[]

/** Every page of every space that the person may open. */
export function listPages(where: Where): Jump[] {
  return [...pagesOfPerson(where), ...pagesOfEnterprises(where), ...pagesOfOperator(where)]
}

function pagesOfPerson({ text, go, eid }: Where): Jump[] {
  const { account, alarms, app, enterprises, messages, palette, settings } = text
  const page = (href: string, icon: IconName, label: string, more: Partial<Jump> = {}): Jump => ({
    ...{ kind: 'page', key: href, icon, label, run: () => go(href) },
    ...more,
  })
  const { devices } = features
  const usual = { isUsual: true } as const
  return [
    page(devices.path, devices.icon, devices.label(text), {
      note: app.menu.personal,
      ...(eid === undefined ? usual : {}),
    }),
    page('/alarmCenter?eid=0', 'alarm', features.alarms.label(text), {
      note: app.menu.personal,
      ...(eid === undefined ? usual : {}),
    }),
    ...alarmPages.map(([tab, icon, path]) =>
      page(`${path}?eid=0`, icon, alarms.tabs[tab], { note: app.menu.personal, words: alarms.title }),
    ),
    page(features.messages.path, 'mail', features.messages.label(text), usual),
    ...shownMessageTabs.map((tab) =>
      page(`/msgCenter?tab=${tab}`, 'mail', app.unread.scenes[tab] ?? tab, { note: messages.title }),
    ),
    page('/maintenance', 'clock', enterprises.maintenance.title, { note: app.menu.personal }),
    ...settingsEntries.map(({ key, to, icon }) =>
      page(to, icon, settings.menu[key], {
        note: settings.title,
        ...(key === 'sessions' ? { words: palette.words.safety, ...usual } : {}),
        ...(key === 'appearance' ? { words: `${palette.words.theme} ${palette.words.language}` } : {}),
      }),
    ),
    page('/recoverPwd', 'lock', account.password.title, { words: palette.words.password }),
    page('/modifyEmail', 'mail', account.modify.emailTitle),
    page('/modifyPhone', 'phone', account.modify.phoneTitle),
    page('/deviceCode', 'signIn', palette.program),
    page('/apiDoc', 'api', palette.apiDoc, { run: () => location.assign('/apiDoc') }),
  ]
}

function pagesOfEnterprises({ text, go, enterprises, eid: here }: Where): Jump[] {
  const { menu, manage } = text.enterprises
  const words = text.palette.words.enterprise
  return enterprises.flatMap(({ eid, name }) => {
    const page = (href: string, icon: IconName, label: string): Jump => ({
      ...{ kind: 'page', key: href, icon, label, note: name, words, run: () => go(href) },
      ...(eid === here && !href.includes('tab=') ? { isUsual: true } : {}),
    })
    return [
      page(`/device/?type=1&eid=${eid}`, 'devices', menu.owned),
      page(`/device/?type=2&eid=${eid}`, 'sliders', menu.maintained),
      page(`/alarmCenter?eid=${eid}`, 'alarm', text.alarms.title),
      ...alarmPages.map(([tab, icon, path]) => page(`${path}?eid=${eid}`, icon, text.alarms.tabs[tab])),
      page(`/enterprise/?eid=${eid}`, 'building', menu.manage),
      ...manageTabs.map((tab) =>
        page(`/enterprise/?eid=${eid}&tab=${tab}`, 'building', `${menu.manage} · ${manage.tabs[tab]}`),
      ),
    ]
  })
}

function pagesOfOperator({ text, go, person, operatorText }: Where): Jump[] {
  if (!person?.isOperator) return []
  const note = text.app.user.backOffice
  const words = text.palette.words.backOffice
  const page = (href: string, label: string, more: Partial<Jump> = {}): Jump => ({
    ...{ kind: 'page', key: href, icon: 'chart', label, words, run: () => go(href) },
    ...more,
  })
  return [
    page('/backManage', note),
    ...(operatorText
      ? backOfficeParts.map((part) => page(`/backManage?part=${part}`, operatorText.parts[part], { note }))
      : []),
  ]
}
