import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { maintenanceQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { useText } from '../../shared/i18n/language.ts'
import type { Enterprise } from '../../shared/session/account-queries.ts'
import { keepMenu, usePreferences } from '../../shared/session/preferences.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import css from './side-menu.module.css'

/** The menu entries of an enterprise: its own devices, those it maintains, and its members. */
export function useSpaceEntries(eid: number) {
  const t = useText().enterprises.menu
  const { pathname, search } = useLocation()
  // The raw value in the address: a word, or none.
  const isMaintained = String((search as { type?: unknown }).type) === '2'
  const isList = pathname.startsWith('/device')
  return [
    {
      key: 'owned',
      to: '/device/' as const,
      search: { type: 1 as const, eid },
      icon: 'devices' as const,
      label: t.owned,
      isHere: isList && !isMaintained,
    },
    {
      key: 'maintained',
      to: '/device/' as const,
      search: { type: 2 as const, eid },
      icon: 'sliders' as const,
      label: t.maintained,
      isHere: isList && isMaintained,
    },
    {
      key: 'manage',
      to: '/enterprise/' as const,
      search: { eid },
      icon: 'building' as const,
      label: t.manage,
      isHere: pathname.startsWith('/enterprise'),
    },
  ] as const
}

/** The enterprise's part of the side menu. */
export function SpaceMenu({ space, collapsed }: { space: Enterprise; collapsed: boolean }) {
  const t = useText().enterprises.menu
  const entries = useSpaceEntries(space.eid)
  return (
    <section>
      <Text as="p" tone="quiet" size="11/14" oneLine className={css.section}>
        {t.section}
      </Text>
      <ul>
        {entries.map(({ key, to, search, icon, label, isHere }) => (
          <li key={key}>
            <Link
              to={to}
              search={search}
              className={css.entry}
              // Both lists share an address and differ in its search.
              activeProps={{}}
              aria-current={isHere ? 'page' : undefined}
              data-tip={collapsed ? label : undefined}
              data-tip-side="right"
              aria-label={collapsed ? label : undefined}
            >
              <Icon name={icon} size={18} />
              {!collapsed && label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Leads to the enterprise's own page. */
export function ManageEntry({ space, onFollow }: { space: Enterprise; onFollow: () => void }) {
  const [, , { to, search, icon, label }] = useSpaceEntries(space.eid)
  return (
    <Link to={to} search={search} className={css.entry} onClick={onFollow}>
      <Icon name={icon} size={18} />
      {label}
    </Link>
  )
}

/** Leads to enterprises' requests for the person's machines; shown once there has been one. */
export function MaintenanceEntry({ collapsed, onFollow }: { collapsed: boolean; onFollow?: () => void }) {
  const t = useText().enterprises.maintenance
  const { data: windows } = useQuery(maintenanceQuery)
  const hadRequests = usePreferences().lastMenu?.hasRequests ?? false
  const hasRequests = windows ? windows.length > 0 : hadRequests
  useEffect(() => {
    if (hasRequests !== hadRequests) keepMenu({ hasRequests })
  }, [hasRequests, hadRequests])
  if (!hasRequests) return null
  const waiting = windows?.filter((window) => window.state === 'waiting').length ?? 0
  return (
    <Link
      to="/maintenance"
      className={css.entry}
      {...(onFollow ? { onClick: onFollow } : {})}
      data-tip={collapsed ? t.title : undefined}
      data-tip-side="right"
      aria-label={collapsed ? t.title : undefined}
    >
      <Icon name="clock" size={18} />
      {!collapsed && t.title}
      {!collapsed && waiting > 0 && <span className={`${css.waiting} numbers`}>{waiting}</span>}
    </Link>
  )
}
