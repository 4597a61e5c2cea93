import type { ReactNode } from 'react'
import { Centre } from '../../shared/ui/centre/centre.tsx'
import { SitesList } from './list/sites-list.tsx'
import { SitePage } from './plan/site-page.tsx'
import { useSitesText } from './sites-text.ts'
import { useSitesSearch } from './use-sites-search.ts'

/** The sites of a space, or one of them. */
export function SitesPage(): ReactNode {
  const t = useSitesText()
  const [{ site }] = useSitesSearch()
  return (
    <Centre title={t.title} titleOf={t.titleOf} tabs={null}>
      {(space) =>
        site === undefined ? <SitesList space={space} /> : <SitePage key={site} id={site} space={space} />
      }
    </Centre>
  )
}
