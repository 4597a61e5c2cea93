import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Box, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { useChosenInSight } from '../../shared/ui/use-chosen-in-sight.ts'
import { settingsEntries } from './settings-entries.ts'
import css from './settings-page.module.css'

interface SettingsPageProps {
  title: string
  lead?: string
  actions?: ReactNode
  children: ReactNode
}

/** A page of the settings: their menu, and one column. */
export function SettingsPage({ title, lead, actions, children }: SettingsPageProps): ReactNode {
  return (
    <div className={css.area}>
      <SettingsMenu />
      <Box shrinks>
        <Row as="header" below={14} gap="8 16" wraps className={css.top}>
          <div className={css.words}>
            <h1>{title}</h1>
            {lead && (
              <Text as="p" tone="quiet" pretty>
                {lead}
              </Text>
            )}
          </div>
          {actions}
        </Row>
        {children}
      </Box>
    </div>
  )
}

function SettingsMenu() {
  const t = useText().settings
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const menu = useRef<HTMLDivElement>(null)
  useChosenInSight(menu, pathname)
  return (
    <nav className={css.menu} aria-label={t.title}>
      <Stack ref={menu} gap={2} className={`${css.entries} fades`}>
        {settingsEntries.map(({ key, to, icon, within }) => (
          <Link
            key={key}
            to={to}
            className={css.entry}
            activeProps={{}}
            aria-current={to === pathname || within.some((path) => path === pathname) ? 'page' : undefined}
          >
            <Icon name={icon} />
            {t.menu[key]}
          </Link>
        ))}
      </Stack>
    </nav>
  )
}
