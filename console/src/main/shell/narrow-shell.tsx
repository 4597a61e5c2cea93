import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useText } from '../../shared/i18n/language.ts'
import { invitationsQuery } from '../../shared/session/account-queries.ts'
import { useBrand } from '../../shared/session/brand.ts'
import { usePreferences } from '../../shared/session/preferences.ts'
import { useSpace } from '../../shared/session/space.ts'
import { BrandName } from '../../shared/ui/brand-name.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import { SkipLink } from '../../shared/ui/skip-link.tsx'
import { AccountSwitcher } from './account-switcher.tsx'
import { covers, type Feature, features } from './features.ts'
import { HomeLink } from './home-link.tsx'
import { LiveState } from './live-state.tsx'
import css from './narrow-shell.module.css'
import { MaintenanceEntry, ManageEntries, ProjectsEntry, useSpaceEntries } from './space-menu.tsx'
import { UnreadBell } from './unread-bell.tsx'
import { UnreadMark } from './unread-mark.tsx'
import { useSpaceFace } from './use-space-face.ts'
import { UserPanel } from './user-panel.tsx'

const VisitBar = lazyPart(
  () => import('../../features/visits/visit-bar.tsx').then((module) => module.VisitBar),
  'nowhere',
)

/** Header, page and a bar at the thumb. */
export function NarrowShell({ children }: { children: ReactNode }): ReactNode {
  const t = useText().app
  const [isMore, setMore] = useState(false)
  useSpaceFace()
  return (
    <div className={css.shell} data-shell="narrow">
      <SkipLink />
      <Row as="header" surface="plain" line="bottom" gap={2} className={css.header}>
        <HomeLink className={css.brand}>
          <BrandName markSize={26} isShort />
        </HomeLink>
        <LanguageButton />
        <ThemeButton />
        <UnreadBell />
      </Row>
      <Stack id="content" tabIndex={-1} as="main" shrinks className={css.main}>
        {children}
      </Stack>
      <div>
        <VisitBar narrow />
      </div>
      <nav className={css.bar} aria-label={t.menu.label}>
        <DevicesEntry />
        <FeatureEntry feature={features.alarms} />
        <FeatureEntry feature={features.data} />
        <FeatureEntry feature={features.messages} />
        <MoreButton onPress={() => setMore(true)} />
      </nav>
      {isMore && <MoreSheet onClose={() => setMore(false)} />}
    </div>
  )
}

/** In an enterprise one entry leads to both lists of devices, which have a switch between them: to the one opened last. */
function DevicesEntry() {
  const t = useText().enterprises.menu
  const space = useSpace()
  const [owned, maintained] = useSpaceEntries(space)
  const { deviceType } = usePreferences()
  if (!space) return <FeatureEntry feature={features.devices} />
  const { to, search } = deviceType === 2 ? maintained : owned
  return (
    <Link
      to={to}
      search={search}
      className={css.entry}
      activeProps={{}}
      aria-current={owned.isHere || maintained.isHere ? 'page' : undefined}
    >
      <Icon name={owned.icon} size={22} />
      {t.ownedShort}
    </Link>
  )
}

function FeatureEntry({ feature }: { feature: Feature }) {
  const text = useText()
  return (
    <Link to={feature.path} className={css.entry} activeOptions={{ includeSearch: false }}>
      <span className={css.glyph}>
        <Icon name={feature.icon} size={22} />
        {feature.countsUnread && <UnreadMark corner />}
      </span>
      {feature.shortLabel(text)}
    </Link>
  )
}

/** Lit where the page belongs to none of the others; marked while an invitation waits in its sheet. */
function MoreButton({ onPress }: { onPress: () => void }) {
  const { app, enterprises } = useText()
  const { pathname } = useLocation()
  const { data: invitations = [] } = useQuery(invitationsQuery)
  const isHere = covers(features.settings, pathname) || /^\/(enterprise|maintenance|project)/.test(pathname)
  return (
    <button
      type="button"
      className={css.entry}
      aria-haspopup="dialog"
      aria-current={isHere ? 'page' : undefined}
      onClick={onPress}
    >
      <span className={css.glyph}>
        <Icon name="more" size={22} />
        {invitations.length > 0 && (
          <i className={css.mark}>
            <span className="sr-only">{enterprises.space.invited(invitations.length)}</span>
          </i>
        )}
      </span>
      {app.menu.entries.more}
    </button>
  )
}

/** The space, and every page that has no place in the bar. */
function MoreSheet({ onClose }: { onClose: () => void }) {
  const t = useText().app
  const space = useSpace()
  const { app: version } = useBrand().versions
  return (
    <Dialog title={t.menu.entries.more} onClose={onClose}>
      <div className={css.sheet}>
        <div className={css.spaces}>
          <AccountSwitcher collapsed={false} onEnter={onClose} />
        </div>
        <UserPanel onLeave={onClose}>
          {space ? (
            <ManageEntries space={space} onFollow={onClose} />
          ) : (
            <ProjectsEntry collapsed={false} onFollow={onClose} />
          )}
          <MaintenanceEntry collapsed={false} onFollow={onClose} />
        </UserPanel>
        <p className={css.live}>
          <LiveState />
          {version && <span className="numbers">{t.version(version)}</span>}
        </p>
      </div>
    </Dialog>
  )
}
