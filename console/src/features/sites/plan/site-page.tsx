import { ApiError } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState, ListFailed } from '../../../shared/ui/empty-state.tsx'
import { ShapeWait } from '../../../shared/ui/shape-wait.tsx'
import { siteQuery } from '../site-queries.ts'
import { useSitesText } from '../sites-text.ts'
import { useSiteMachines } from '../use-site-machines.ts'
import { useSitesSearch } from '../use-sites-search.ts'
import { SiteView } from './site-view.tsx'

/** A single site. */
export function SitePage({ id, space }: { id: number; space: PageSpace }) {
  const t = useSitesText().site
  const [, update] = useSitesSearch()
  const { data, error, isFetching, refetch } = useQuery(siteQuery(id))
  const machines = useSiteMachines(space)
  if (error instanceof ApiError && error.code === '404')
    return (
      <EmptyState icon="building" title={t.gone} hint={t.goneHint}>
        <Button onClick={() => update({ site: undefined, plan: undefined, machine: undefined })}>
          {t.back}
        </Button>
      </EmptyState>
    )
  if (data && machines) return <SiteView site={data} machines={machines} space={space} />
  if (error) return <ListFailed isFetching={isFetching} retry={() => void refetch()} />
  return <ShapeWait shape="chart" />
}
