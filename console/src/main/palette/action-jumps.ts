import { openCheck } from '../../entities/machine/device-dialog.ts'
import type { Machine } from '../../entities/machine/machine.ts'
import type { Text } from '../../shared/i18n/text.ts'
import type { Enterprise } from '../../shared/session/account-queries.ts'
import { requestAction } from '../../shared/session/pending-action.ts'
import { signOut } from '../../shared/session/session-end.ts'
import { switchLanguage } from '../../shared/session/switch-language.ts'
import { setTheme } from '../../shared/session/theme.ts'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import { openShortcuts } from '../../shared/ui/shortcuts.ts'
import type { Jump } from './jumps.ts'

interface Where {
  readonly text: Text
  readonly lang: 'cn' | 'en'
  readonly go: (href: string) => void
  readonly enterprises: readonly Enterprise[]
  readonly machines: readonly Machine[]
}

/** Devices that are offline; the others are checked from their menu. */
const checkedMax = 50

/** The actions of the palette. */
export function listActions({ text, lang, go, enterprises, machines }: Where): Jump[] {
  const { app, palette: t } = text
  const action = (key: string, icon: IconName, label: string, words: string, run: () => void): Jump => ({
    ...{ kind: 'action', key, icon, label, words, run },
  })
  const addTo = (href: string) => () => {
    requestAction('addMachine')
    go(href)
  }
  // A member's own rights are known on the enterprise's pages only.
  const led = enterprises.filter(({ role }) => role !== 'member')
  return [
    { ...action('add', 'plus', t.add, t.words.add, addTo('/index/')), isUsual: true },
    ...led.flatMap(({ eid, name }) => [
      action(`add ${eid}`, 'plus', t.addTo(name), t.words.add, addTo(`/device/?type=1&eid=${eid}`)),
      action(`invite ${eid}`, 'user', t.invite(name), t.words.invite, () => {
        requestAction('inviteMember')
        go(`/enterprise/?eid=${eid}&tab=members`)
      }),
    ]),
    ...machines
      .filter(({ online }) => !online)
      .slice(0, checkedMax)
      .map((machine) =>
        action(
          `check ${machine.id}`,
          'search',
          text.machineEdit.menu.checkOf(machine.name),
          `${machine.code} ${t.words.check}`,
          () => openCheck(machine),
        ),
      ),
    action('light', 'sun', t.light, t.words.theme, () => setTheme('light')),
    action('dark', 'moon', t.dark, t.words.theme, () => setTheme('dark')),
    action('system', 'desktop', t.system, t.words.theme, () => setTheme('system')),
    action(
      'language',
      'globe',
      t.language,
      t.words.language,
      () => void switchLanguage(lang === 'cn' ? 'en' : 'cn'),
    ),
    action('shortcuts', 'info', t.shortcuts, '', openShortcuts),
    action('signOut', 'signOut', app.header.signOut, t.words.signOut, () => void signOut()),
  ]
}
