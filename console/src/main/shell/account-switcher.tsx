import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '../../shared/i18n/language.ts'
import { invitationsQuery } from '../../shared/session/account-queries.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { MenuItem, MenuLine, Popover } from '../../shared/ui/popover.tsx'
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
  /** Another space was chosen. */
  onEnter?: () => void
}

/** The space one is in, the others one belongs to, and the ones one is invited to. */
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

  const name = space?.name ?? (enterprises.length > 0 ? t.personal : t.cloudDevices)
  return (
    <>
      <Popover
        block
        label={t.switchAccount}
        trigger={(props) => (
          <button type="button" className={css.space} title={collapsed ? name : undefined} {...props}>
            <Avatar name={name} {...(space ? {} : { icon: 'user' as const })} size={26} square />
            <span className="sr-only">{collapsed ? `${t.switchAccount}: ${name}` : t.switchAccount}</span>
            {!collapsed && (
              <>
                <span className={css.names}>
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
                </span>
                <Icon name="chevronDown" size={14} />
              </>
            )}
            {invitations.length > 0 && <i className={css.mark} aria-hidden="true" />}
          </button>
        )}
      >
        {(close) => {
          const then = (act: () => void) => () => {
            close()
            act()
          }
          return (
            <>
              <MenuItem checked={!space} onClick={then(() => enter(0))}>
                <Avatar name={t.personal} icon="user" size={22} square />
                {t.personal}
              </MenuItem>
              {enterprises.map((enterprise) => (
                <MenuItem
                  key={enterprise.eid}
                  checked={enterprise.eid === space?.eid}
                  onClick={then(() => enter(enterprise.eid))}
                >
                  <Avatar name={enterprise.name} size={22} square />
                  <span className={classes('cut', css.spaceName)} title={enterprise.name}>
                    {enterprise.name}
                  </span>
                </MenuItem>
              ))}
              <MenuLine />
              {invitations.length > 0 && (
                <MenuItem icon="mail" onClick={then(() => setOpened('invitations'))}>
                  {words.invited(invitations.length)}
                </MenuItem>
              )}
              <MenuItem icon="plus" onClick={then(() => setOpened('create'))}>
                {words.create}
              </MenuItem>
            </>
          )
        }}
      </Popover>
      {opened === 'invitations' && (
        <InvitationsDialog onClose={() => setOpened(undefined)} onJoined={enter} />
      )}
      {opened === 'create' && (
        <CreateEnterpriseDialog onClose={() => setOpened(undefined)} onCreated={enter} />
      )}
    </>
  )
}
