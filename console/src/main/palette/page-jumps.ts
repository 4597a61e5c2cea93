import { messages as messageContract } from '@busbar/contract'
import { settingsEntries } from '../../entities/account/settings-entries.ts'
import { alarmPaths } from '../../entities/alarm/alarm-centre.tsx'
import { dataPaths } from '../../entities/data-centre/data-centre.tsx'
import type { OperatorText } from '../../features/back-office/operator-text.ts'
import { backOfficeParts } from '../../features/back-office/search.ts'
import { type ManageTab, manageTabsOf } from '../../features/enterprise/search.ts'
import type { Text } from '../../shared/i18n/text.ts'
import type { Enterprise, Person } from '../../shared/session/account-queries.ts'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import { features } from '../shell/features.ts'
import type { Jump } from './jumps.ts'
import { pageWords } from './page-words.ts'

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

/** The pages of the alarm centre and of the data centre, which every space has. */
const spacePages = [
  ['rules', 'sliders', alarmPaths.rules],
  ['notifications', 'bell', alarmPaths.notifications],
  ['quality', 'chart', alarmPaths.quality],
  ['sites', 'building', dataPaths.sites],
  ['sims', 'cards', dataPaths.sims],
  ['boards', 'chart', dataPaths.boards],
  ['explorer', 'chart', dataPaths.explorer],
  ['exports', 'download', dataPaths.exports],
  ['reports', 'mail', dataPaths.reports],
  ['retention', 'history', dataPaths.retention],
] as const satisfies readonly (readonly [string, IconName, string])[]

/** Every page of every space that the person may open. */
export function listPages(where: Where): Jump[] {
  return [...pagesOfPerson(where), ...pagesOfEnterprises(where), ...pagesOfOperator(where)]
}

/** A page that is an entry under its address. */
function pageJump(
  { go }: Where,
  [href, icon, label, words]: readonly [string, IconName, string, string],
  more: Partial<Jump> = {},
): Jump {
  return { kind: 'page', key: href, icon, label, words, run: () => go(href), ...more }
}

/** The pages of the two centres in a space. */
function pagesOfSpace(where: Where, eid: number, note: string, isUsual: boolean): Jump[] {
  const { alarms, dataCentre } = where.text
  const titles = { ...alarms.tabs, ...dataCentre.tabs }
  return [
    pageJump(where, [`${alarmPaths.alarms}?eid=${eid}`, 'alarm', alarms.title, pageWords.alarms], {
      note,
      ...(isUsual ? { isUsual } : {}),
    }),
    ...spacePages.map(([key, icon, path]) =>
      pageJump(where, [`${path}?eid=${eid}`, icon, titles[key], pageWords[key]], { note }),
    ),
  ]
}

function pagesOfPerson(where: Where): Jump[] {
  const { text, eid, person } = where
  const { account, app, enterprises, messages, palette, settings } = text
  const { devices, map } = features
  const note = app.menu.personal
  const usual = { isUsual: true } as const
  const isHere = eid === undefined
  return [
    pageJump(where, [devices.path, devices.icon, devices.label(text), pageWords.devices], {
      note,
      ...(isHere ? usual : {}),
    }),
    ...(person?.hide_map ? [] : [pageJump(where, [map.path, map.icon, map.label(text), pageWords.map])]),
    ...pagesOfSpace(where, 0, note, isHere),
    pageJump(
      where,
      [features.messages.path, 'mail', features.messages.label(text), pageWords.messages],
      usual,
    ),
    ...messageContract.messageTabs.map((tab) =>
      pageJump(where, [`/msgCenter?tab=${tab}`, 'mail', app.unread.scenes[tab] ?? tab, pageWords.messages], {
        note: messages.title,
      }),
    ),
    pageJump(where, ['/project/?eid=0', 'transfer', enterprises.menu.personalProjects, pageWords.projects], {
      note,
    }),
    pageJump(where, ['/maintenance', 'clock', enterprises.maintenance.title, pageWords.maintenance], {
      note,
    }),
    ...settingsEntries.map(({ key, to, icon }) =>
      pageJump(where, [to, icon, settings.menu[key], pageWords[key]], {
        note: settings.title,
        ...(key === 'security' ? usual : {}),
      }),
    ),
    pageJump(where, ['/connect', 'plus', text.machines.connect, pageWords.connect], { note }),
    pageJump(where, ['/recoverPwd', 'lock', account.password.title, pageWords.password]),
    pageJump(where, ['/modifyEmail', 'mail', account.modify.emailTitle, pageWords.email]),
    pageJump(where, ['/modifyPhone', 'phone', account.modify.phoneTitle, pageWords.phone]),
    pageJump(where, ['/deviceCode', 'signIn', palette.program, pageWords.deviceCode]),
    pageJump(where, ['/apiDoc', 'api', palette.apiDoc, pageWords.apiDoc], {
      run: () => location.assign('/apiDoc'),
    }),
  ]
}

/** Words for the sections of an enterprise's own page. */
const manageWords: Readonly<Record<ManageTab, string>> = {
  members: pageWords.members,
  teams: pageWords.teams,
  groups: pageWords.groups,
  maintenance: pageWords.maintenanceWindows,
  audit: pageWords.enterpriseAudit,
  settings: pageWords.enterpriseSettings,
}

function pagesOfEnterprises(where: Where): Jump[] {
  const { menu, manage } = where.text.enterprises
  return where.enterprises.flatMap(({ eid, name, role, enableProject }) => {
    const isUsual = eid === where.eid
    const usual = { note: name, ...(isUsual ? { isUsual: true as const } : {}) }
    const { devices, maintained, enterprise } = pageWords
    return [
      pageJump(where, [`/device/?type=1&eid=${eid}`, 'devices', menu.owned, devices], usual),
      pageJump(where, [`/device/?type=2&eid=${eid}`, 'sliders', menu.maintained, maintained], usual),
      ...(enableProject
        ? ([
            [1, menu.projects],
            [2, menu.maintainedProjects],
          ] as const)
        : []
      ).map(([type, label]) =>
        pageJump(where, [`/project/?type=${type}&eid=${eid}`, 'transfer', label, pageWords.projects], {
          note: name,
        }),
      ),
      ...pagesOfSpace(where, eid, name, isUsual),
      pageJump(where, [`/enterprise/?eid=${eid}`, 'building', menu.manage, enterprise], usual),
      ...manageTabsOf({ role }).map((tab) =>
        pageJump(
          where,
          [
            `/enterprise/?eid=${eid}&tab=${tab}`,
            'building',
            `${menu.manage} · ${manage.tabs[tab]}`,
            manageWords[tab],
          ],
          { note: name },
        ),
      ),
    ]
  })
}

function pagesOfOperator(where: Where): Jump[] {
  const { text, person, operatorText } = where
  if (!person?.isOperator) return []
  const note = text.app.user.backOffice
  return [
    pageJump(where, ['/backManage', 'chart', note, pageWords.backOffice]),
    ...(operatorText
      ? backOfficeParts.map((part) =>
          pageJump(
            where,
            [`/backManage?part=${part}`, 'chart', operatorText.parts[part], pageWords.backOffice],
            { note },
          ),
        )
      : []),
  ]
}
