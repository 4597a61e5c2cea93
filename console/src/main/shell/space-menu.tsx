import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { maintenanceQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { useText } from '../../shared/i18n/language.ts'
import type { Enterprise } from '../../shared/session/account-queries.ts'
import { keepMenu, usePreferences } from '../../shared/session/preferences.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import css from './side-menu.module.css'

const ProjectsWatch = lazyPart(
  () => import('../../features/projects/projects-watch.tsx').then((module) => module.ProjectsWatch),
  'nowhere',
)

/** The menu entries of an enterprise: its own devices, those it maintains, its projects, and its members. */
export function useSpaceEntries(space: Enterprise | undefined) {
  const t = useText().enterprises.menu
  const { pathname, search } = useLocation()
  const { eid = 0, enableProject = false } = space ?? {}
  // The raw value in the address: a word, or none.
  const isMaintained = String((search as { type?: unknown }).type) === '2'
  const isList = pathname.startsWith('/device')
  const isProjects = pathname.startsWith('/project')
  const projects = [
    {
      key: 'projects',
      to: '/project/' as const,
      search: { type: 1 as const, eid },
      icon: 'transfer' as const,
      label: t.projects,
      isHere: isProjects && !isMaintained,
    },
    {
      key: 'maintainedProjects',
      to: '/project/' as const,
      search: { type: 2 as const, eid },
      icon: 'transfer' as const,
      label: t.maintainedProjects,
      isHere: isProjects && isMaintained,
    },
  ] as const
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
    ...(enableProject ? projects : []),
  ] as const
}

/** The enterprise's part of the side menu. */
export function SpaceMenu({ space, collapsed }: { space: Enterprise; collapsed: boolean }) {
  const t = useText().enterprises.menu
  const entries = useSpaceEntries(space)
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

/** Leads to the enterprise's own page and to its projects, whose two lists have a switch between them. */
export function ManageEntries({ space, onFollow }: { space: Enterprise; onFollow: () => void }) {
  const [, , manage, projects] = useSpaceEntries(space)
  return [manage, projects].map(
    (entry) =>
      entry && (
        <Link key={entry.key} to={entry.to} search={entry.search} className={css.entry} onClick={onFollow}>
          <Icon name={entry.icon} size={18} />
          {entry.label}
        </Link>
      ),
  )
}

/** Leads to the person's own projects; shown once there is one, or an invitation to one. */
export function ProjectsEntry({ collapsed, onFollow }: { collapsed: boolean; onFollow?: () => void }) {
  const { personalProjects: label } = useText().enterprises.menu
  const hasProjects = usePreferences().lastMenu?.hasProjects ?? false
  const isHere = useLocation().pathname.startsWith('/project')
  return (
    <>
      <ProjectsWatch />
      {hasProjects && (
        <Link
          to="/project/"
          search={{ eid: 0 }}
          className={css.entry}
          activeProps={{}}
          aria-current={isHere ? 'page' : undefined}
          {...(onFollow ? { onClick: onFollow } : {})}
          data-tip={collapsed ? label : undefined}
          data-tip-side="right"
          aria-label={collapsed ? label : undefined}
        >
          <Icon name="transfer" size={18} />
          {!collapsed && label}
        </Link>
      )}
    </>
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
