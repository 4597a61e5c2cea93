import { useVariables } from '../../../entities/history/variables.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { ReportEditor } from './report-editor.tsx'

/** A new report, with the variables and devices of the chart from which it was opened. */
export function NewReport({ space, tagIds }: { space: PageSpace; tagIds: readonly number[] }) {
  const { tags, state } = useVariables(tagIds)
  if (state === 'wait') return <Skeleton height={420} />
  return <ReportEditor key={tagIds.join()} space={space} tags={tags} />
}
