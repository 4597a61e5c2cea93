import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import {
  applicationsQuery,
  bkeysQuery,
  blacklistQuery,
  reachQuery,
  visitorsQuery,
} from '../../entities/access/access-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import { Box, Text } from '../../shared/ui/layout/layout.tsx'
import frame from '../../shared/ui/side-page.module.css'
import { useChosenInSight } from '../../shared/ui/use-chosen-in-sight.ts'
import { useAdministration } from './administration.ts'
import { type AdministrationTab, administrationTabs } from './search.ts'

const icons: Record<AdministrationTab, IconName> = {
  now: 'signIn',
  applications: 'mail',
  visitors: 'user',
  times: 'clock',
  bkeys: 'key',
  blacklist: 'ban',
  visits: 'history',
  projects: 'transfer',
  settings: 'sliders',
}

/** The parts of the page with their counts. The address says which is open. */
export function AdministrationNav({ tab }: { tab: AdministrationTab }) {
  const { machineId } = useAdministration()
  const t = useText().access.tabs
  const counts: Partial<Record<AdministrationTab, number | undefined>> = {
    now: useQuery(reachQuery(machineId)).data?.length,
    applications: useQuery(applicationsQuery(machineId, { open: true, page: 1 })).data?.total,
    visitors: useQuery(visitorsQuery(machineId)).data?.length,
    bkeys: useQuery(bkeysQuery(machineId)).data?.length,
    blacklist: useQuery(blacklistQuery(machineId)).data?.length,
  }
  const nav = useRef<HTMLElement>(null)
  useChosenInSight(nav, [tab, ...Object.values(counts)].join())
  return (
    <nav ref={nav} className={`${frame.nav} fades`} aria-label={t.label}>
      {administrationTabs.map((each) => (
        <Link
          key={each}
          to="/administrateCenter"
          search={{ machineId, ...(each === 'now' ? {} : { tab: each }) }}
          replace
          className={frame.tab}
          aria-current={each === tab ? 'page' : undefined}
        >
          <Icon name={icons[each]} />
          <Box as="span" grows>
            {t[each]}
          </Box>
          {counts[each] !== undefined && (
            <Text tone="quiet" size={12} weight={400} numbers>
              {counts[each]}
            </Text>
          )}
        </Link>
      ))}
    </nav>
  )
}
