import type { ReactNode } from 'react'
import { DataCentre } from '../../entities/data-centre/data-centre.tsx'
import { SitesList } from './list/sites-list.tsx'
import { SitePage } from './plan/site-page.tsx'
import { useSitesSearch } from './use-sites-search.ts'

/** The sites of a space, or one of them. */
export function SitesPage(): ReactNode {
  const [{ site }] = useSitesSearch()
  return (
    <DataCentre tab="sites">
      {(space) =>
        site === undefined ? <SitesList space={space} /> : <SitePage key={site} id={site} space={space} />
      }
    </DataCentre>
  )
}
