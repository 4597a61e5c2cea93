import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '../../shared/i18n/language.ts'
import { invitationsQuery } from '../../shared/session/account-queries.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../../shared/ui/menu/menu.tsx'
import css from './side-menu.module.css'
import { useSpaces } from './use-spaces.ts'

const InvitationsDialog = lazyPart(
  () => import('../../features/enterprise/invitations-dialog.tsx').then((module) => module.InvitationsDialog),
  'dialog',
)
const CreateEnterpriseDialog = lazyPart(
  () =>
    import('../../features/enterprise/create-enterprise-dialog.tsx').then(
      (module) => module.CreateEnterpriseDialog,
    ),
  'dialog',
)

interface AccountSwitcherProps {
  collapsed: boolean
  /** A space was entered. */
  onEnter?: () => void
}

/** The current space, the person's other spaces, and invitations. */
export function AccountSwitcher({ collapsed, onEnter }: AccountSwitcherProps) {
  const text = useText()
  const t = text.app.menu
  const words = text.enterprises.space
  const { space, enterprises, enter: enterSpace } = useSpaces()
  const { data: invitations = [] } = useQuery(invitationsQuery)
  const [opened, setOpened] = useState<'invitations' | 'create'>()

  function enter(eid: number) {
    onEnter?.()
    enterSpace(eid)
  }

  const name = space?.name ?? t.personal
  return (
    <>
      <Menu
        label={t.switchAccount}
        trigger={
          <button type="button" className={css.space} title={collapsed ? name : undefined}>
            <Avatar name={name} {...(space ? {} : { icon: 'user' as const })} size={26} square />
            <span className="sr-only">{collapsed ? `${t.switchAccount}: ${name}` : t.switchAccount}</span>
            {!collapsed && (
              <>
                <Text grows leading={16} className={css.names}>
                  <b className="cut" title={name}>
                    {name}
                  </b>
                  <small className="cut">
                    {invitations.length > 0
                      ? words.invited(invitations.length)
                      : space
                        ? words.hint[space.role]
                        : t.personalHint}
                  </small>
                </Text>
                <Icon name="chevronDown" size={14} />
              </>
            )}
            {invitations.length > 0 && <i className={css.mark} aria-hidden="true" />}
          </button>
        }
      >
        <MenuChoices
          label={t.switchAccount}
          value={String(space?.eid ?? 0)}
          onChange={(eid) => enter(Number(eid))}
        >
          <MenuItem id="0" drawing={<Avatar name={t.personal} icon="user" size={22} square />}>
            {t.personal}
          </MenuItem>
          {enterprises.map((enterprise) => (
            <MenuItem
              key={enterprise.eid}
              id={String(enterprise.eid)}
              drawing={<Avatar name={enterprise.name} size={22} square />}
            >
              <span className={classes('cut', css.spaceName)} title={enterprise.name}>
                {enterprise.name}
              </span>
            </MenuItem>
          ))}
        </MenuChoices>
        <MenuLine />
        {invitations.length > 0 && (
          <MenuItem icon="mail" onAction={() => setOpened('invitations')}>
            {words.invited(invitations.length)}
          </MenuItem>
        )}
        <MenuItem icon="plus" onAction={() => setOpened('create')}>
          {words.create}
        </MenuItem>
      </Menu>
      {opened === 'invitations' && (
        <InvitationsDialog onClose={() => setOpened(undefined)} onJoined={enter} />
      )}
      {opened === 'create' && (
        <CreateEnterpriseDialog onClose={() => setOpened(undefined)} onCreated={enter} />
      )}
    </>
  )
}
