import { boards } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { reportsKey } from '../report-queries.ts'
import { ReportEditor } from './report-editor.tsx'

/** A new report, with the variables and devices of the chart from which it was opened. */
export function NewReport({ space, tagIds }: { space: PageSpace; tagIds: readonly number[] }) {
  const lang = useLang()
  const isEmpty = tagIds.length === 0
  const { data, isError } = useQuery({
    queryKey: [...reportsKey, 'tagsById', tagIds, lang],
    queryFn: ({ signal }) => call(boards.lookUpBoardTags, { tags: [], tagIds: [...tagIds] }, { signal }),
    enabled: !isEmpty,
  })
  if (!isEmpty && !data && !isError) return <Skeleton height={420} />
  return <ReportEditor key={tagIds.join()} space={space} tags={data?.tags ?? []} />
}
