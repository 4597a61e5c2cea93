import { boards } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { ShapeWait } from '../../../shared/ui/shape-wait.tsx'
import { type Report, reportQuery, reportsKey } from '../report-queries.ts'
import { useReportsText } from '../reports-text.ts'
import { useReportsSearch } from '../use-reports-search.ts'
import { ReportEditor } from './report-editor.tsx'

/** An existing report, with the names of its variables. */
export function OpenReport({ id, space }: { id: number; space: PageSpace }) {
  const t = useReportsText()
  const [, open] = useReportsSearch()
  const { data: report, isError } = useQuery(reportQuery(id))
  const tags = useReportTags(report)
  if (isError)
    return (
      <EmptyState icon="warning" title={t.edit.gone}>
        <Button onClick={() => open({})}>{t.edit.back}</Button>
      </EmptyState>
    )
  if (!report || !tags) return <ShapeWait shape="form" />
  return <ReportEditor space={space} report={report} tags={tags} />
}

function useReportTags(report: Report | undefined): readonly boards.BoardTagFound[] | undefined {
  const lang = useLang()
  const wanted = report?.content.tags ?? []
  const { data } = useQuery({
    queryKey: [...reportsKey, 'tags', report?.id, wanted, lang],
    queryFn: ({ signal }) =>
      call(
        boards.lookUpBoardTags,
        { tags: wanted.map(({ machineId, group, tag }) => ({ machine: machineId, group, tag })) },
        { signal, noNotice: true },
      ),
    enabled: wanted.length > 0,
  })
  return report && wanted.length === 0 ? [] : data?.tags
}
