import type { ReactNode } from 'react'
import { DataCentre } from '../../entities/data-centre/data-centre.tsx'
import { NewReport } from './edit/new-report.tsx'
import { OpenReport } from './edit/open-report.tsx'
import { ReportsList } from './list/reports-list.tsx'
import { useReportsSearch } from './use-reports-search.ts'

/** The scheduled reports of a space, or one of them. */
export function ReportsPage(): ReactNode {
  const [{ report, add, tags }] = useReportsSearch()
  return (
    <DataCentre tab="reports">
      {(space) => {
        if (report !== undefined) return <OpenReport key={report} id={report} space={space} />
        return add ? <NewReport space={space} tagIds={tags ?? []} /> : <ReportsList space={space} />
      }}
    </DataCentre>
  )
}
