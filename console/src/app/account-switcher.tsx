import { useQuery } from '@tanstack/react-query'
import { useText } from '../i18n/language.ts'
import { Icon } from '../ui/icon.tsx'
import { MenuItem, MenuLine, Popover } from '../ui/popover.tsx'
import { enterprisesQuery } from './account-queries.ts'
import { Avatar } from './avatar.tsx'
import css from './side-menu.module.css'

/** The space one is in. Whoever belongs to no enterprise has nothing to switch and sees only a label. */
export function AccountSwitcher({ collapsed }: { collapsed: boolean }) {
  const t = useText().app.menu
  const { data: enterprises = [] } = useQuery(enterprisesQuery)
  if (!enterprises.length)
    return (
      <p className={css.label} data-tip={collapsed ? t.cloudDevices : undefined}>
        <Icon name="cloud" size={18} />
        <span className={collapsed ? 'sr-only' : undefined}>{t.cloudDevices}</span>
      </p>
    )
  return (
    <Popover
      block
      label={t.switchAccount}
      trigger={(props) => (
        <button type="button" className={css.space} {...props}>
          <Avatar name={t.personal} icon="user" size={26} square />
          <span className="sr-only">{collapsed ? `${t.switchAccount}: ${t.personal}` : t.switchAccount}</span>
          {!collapsed && (
            <>
              <span className={css.names}>
                <b className="cut">{t.personal}</b>
                <small className="cut">{t.personalHint}</small>
              </span>
              <Icon name="chevronDown" size={14} />
            </>
          )}
        </button>
      )}
    >
      {(close) => (
        <>
          <MenuItem checked onClick={close}>
            <Avatar name={t.personal} icon="user" size={22} square />
            {t.personal}
          </MenuItem>
          <MenuLine />
          {enterprises.map(({ eid, name }) => (
            <MenuItem key={eid} checked={false} disabled onClick={close}>
              <Avatar name={name} size={22} square />
              <span className="cut" title={name}>
                {name}
              </span>
            </MenuItem>
          ))}
        </>
      )}
    </Popover>
  )
}
