import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { formatBadge } from '../../shared/i18n/index.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import { Box } from '../../shared/ui/layout/layout.tsx'
import frame from '../../shared/ui/side-page.module.css'
import { useChosenInSight } from '../../shared/ui/use-chosen-in-sight.ts'
import css from './back-office-page.module.css'
import { overviewQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { type BackOfficePart, backOfficeParts } from './search.ts'

const icons: Record<BackOfficePart, IconName> = {
  overview: 'chart',
  scada: 'desktop',
  machines: 'devices',
  machineTypes: 'list',
  users: 'user',
  enterprises: 'group',
  projects: 'transfer',
  sims: 'cards',
  simPlans: 'tag',
  simCarriers: 'cloud',
  brands: 'star',
  tileSources: 'globe',
  outbox: 'mail',
  sms: 'bell',
  jobs: 'clock',
  audit: 'shield',
}

/** The parts of the back office. The address says which is open. */
export function BackOfficeNav({ part }: { part: BackOfficePart }) {
  const t = useOperatorText().parts
  const waiting = useQuery(overviewQuery).data?.counts.scadaOpen
  const nav = useRef<HTMLElement>(null)
  useChosenInSight(nav, `${part} ${waiting}`)
  return (
    <nav ref={nav} className={`${frame.nav} fades`} aria-label={t.label}>
      {backOfficeParts.map((each) => (
        <Link
          key={each}
          to="/backManage"
          search={{ part: each }}
          className={frame.tab}
          aria-current={each === part ? 'page' : undefined}
        >
          <Icon name={icons[each]} />
          <Box as="span" grows>
            {t[each]}
          </Box>
          {each === 'scada' && Boolean(waiting) && (
            <span className={css.tabCount}>{formatBadge(waiting ?? 0)}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}
