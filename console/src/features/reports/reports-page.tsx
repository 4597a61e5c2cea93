import type { ReactNode } from 'react'
import { DataCentre } from '../../entities/data-centre/data-centre.tsx'
import { OpenReport } from './edit/open-report.tsx'
import { ReportEditor } from './edit/report-editor.tsx'
import { ReportsList } from './list/reports-list.tsx'
import { useReportsSearch } from './use-reports-search.ts'

/** The scheduled reports of a space, or one of them. */
export function ReportsPage(): ReactNode {
  const [{ report, add }] = useReportsSearch()
  return (
    <DataCentre tab="reports">
      {(space) => {
        if (report !== undefined) return <OpenReport key={report} id={report} space={space} />
        return add ? <ReportEditor space={space} /> : <ReportsList space={space} />
      }}
    </DataCentre>
  )
}
