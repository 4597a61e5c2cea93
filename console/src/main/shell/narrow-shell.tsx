import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useText } from '../../shared/i18n/language.ts'
import type { Enterprise } from '../../shared/session/account-queries.ts'
import { useBrand } from '../../shared/session/brand.ts'
import { useSpace } from '../../shared/session/space.ts'
import { BrandName } from '../../shared/ui/brand-name.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import { SkipLink } from '../../shared/ui/skip-link.tsx'
import { AccountSwitcher } from './account-switcher.tsx'
import { type Feature, features } from './features.ts'
import { HomeLink } from './home-link.tsx'
import { LiveState } from './live-state.tsx'
import css from './narrow-shell.module.css'
import { MaintenanceEntry, useSpaceBarEntries } from './space-menu.tsx'
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
  const [me, setMe] = useState(false)
  const { app: version } = useBrand().versions
  const space = useSpace()
  useSpaceFace()
  return (
    <div className={css.shell} data-shell="narrow">
      <SkipLink />
      <Row as="header" surface="plain" line="bottom" gap={2} className={css.header}>
        <div className={css.spaces}>
          <AccountSwitcher collapsed />
        </div>
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
        {space ? (
          <SpaceBar space={space} />
        ) : (
          Object.values(features).map((feature) => <FeatureEntry key={feature.path} feature={feature} />)
        )}
        <button type="button" className={css.entry} aria-haspopup="dialog" onClick={() => setMe(true)}>
          <Icon name="user" size={22} />
          {t.menu.entries.me}
        </button>
      </nav>
      {me && (
        <Dialog title={t.user.title} onClose={() => setMe(false)}>
          <div className={css.sheet}>
            <UserPanel onLeave={() => setMe(false)}>
              <MaintenanceEntry collapsed={false} onFollow={() => setMe(false)} />
            </UserPanel>
            <p className={css.live}>
              <LiveState />
              {version && <span className="numbers">{t.version(version)}</span>}
            </p>
          </div>
        </Dialog>
      )}
    </div>
  )
}

/** The enterprise's entries at the thumb. */
function SpaceBar({ space }: { space: Enterprise }) {
  // Five entries beside the personal one: the list has a switch between its devices and those of customers.
  const entries = useSpaceBarEntries(space.eid)
  return (
    <>
      {entries.map(({ key, to, search, icon, short, isHere }) => (
        <Link
          key={key}
          to={to}
          search={search}
          className={css.entry}
          activeProps={{}}
          aria-current={isHere ? 'page' : undefined}
        >
          <Icon name={icon} size={22} />
          {short}
        </Link>
      ))}
      <FeatureEntry feature={features.alarms} />
      <FeatureEntry feature={features.data} />
      <FeatureEntry feature={features.messages} />
      <FeatureEntry feature={features.safety} />
    </>
  )
}

/** A page that does not belong to one enterprise. */
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
