import { Link } from '@tanstack/react-router'
import { useText } from '../../shared/i18n/language.ts'
import { useBrand } from '../../shared/session/brand.ts'
import { updatePreferences, usePreferences } from '../../shared/session/preferences.ts'
import { useSpace } from '../../shared/session/space.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { useTightScreen } from '../../shared/ui/use-tight-screen.ts'
import { AccountSwitcher } from './account-switcher.tsx'
import { covers, menuSections, useFeatures, usePathHere } from './features.ts'
import { LiveState } from './live-state.tsx'
import css from './side-menu.module.css'
import { MaintenanceEntry, ProjectsEntry, SpaceMenu } from './space-menu.tsx'
import { UnreadMark } from './unread-mark.tsx'

/** The screens that exist, the space one is in, and whether the page is live. */
export function SideMenu() {
  const text = useText()
  const t = text.app.menu
  const isTight = useTightScreen()
  const collapsed = usePreferences().menuCollapsed ?? isTight
  const { app: version } = useBrand().versions
  const space = useSpace()
  const pathname = usePathHere()
  const features = useFeatures()
  return (
    <nav className={classes(css.menu, collapsed && css.collapsed)} aria-label={t.label}>
      <div className={css.top}>
        <AccountSwitcher collapsed={collapsed} />
      </div>
      <div className={css.list}>
        {space && <SpaceMenu space={space} collapsed={collapsed} />}
        {menuSections(space !== undefined).map((section) => (
          <section key={section}>
            <Text as="p" tone="quiet" size="11/14" oneLine className={css.section}>
              {t.sections[section]}
            </Text>
            <ul>
              {features
                .filter((feature) => feature.section === section)
                .map((feature) => (
                  <li key={feature.path}>
                    <Link
                      to={feature.path}
                      className={css.entry}
                      activeProps={{}}
                      // A list as a map has its own entry, under the same address.
                      activeOptions={{ exact: true, includeSearch: true }}
                      aria-current={covers(feature, pathname) ? 'page' : undefined}
                      data-tip={collapsed ? feature.label(text) : undefined}
                      data-tip-side="right"
                      aria-label={collapsed ? feature.label(text) : undefined}
                    >
                      <span className={css.glyph}>
                        <Icon name={feature.icon} size={18} />
                        {collapsed && feature.countsUnread && <UnreadMark corner />}
                      </span>
                      {!collapsed && feature.label(text)}
                      {!collapsed && feature.countsUnread && <UnreadMark corner={false} />}
                    </Link>
                  </li>
                ))}
              {section === 'devices' && (
                <>
                  <li>
                    <ProjectsEntry collapsed={collapsed} />
                  </li>
                  <li>
                    <MaintenanceEntry collapsed={collapsed} />
                  </li>
                </>
              )}
            </ul>
          </section>
        ))}
      </div>
      <Row as="footer" line="top" gap={12} className={css.foot}>
        <IconButton
          size="small"
          icon={collapsed ? 'menuExpand' : 'menuCollapse'}
          label={collapsed ? t.expand : t.collapse}
          aria-expanded={!collapsed}
          data-tip-side={collapsed ? 'right' : undefined}
          onClick={() => updatePreferences({ menuCollapsed: !collapsed })}
        />
        <LiveState dotOnly={collapsed} />
        {!collapsed && version && (
          <span className={`${css.version} numbers`} title={text.app.version(version)}>
            v{version}
          </span>
        )}
      </Row>
    </nav>
  )
}
