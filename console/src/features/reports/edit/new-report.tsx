import { useQuery } from '@tanstack/react-query'
import { useVariables } from '../../../entities/history/variables.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { ShapeWait } from '../../../shared/ui/shape-wait.tsx'
import { ReportEditor } from './report-editor.tsx'

/** A new report, with the variables and devices of the chart from which it was opened. */
export function NewReport({ space, tagIds }: { space: PageSpace; tagIds: readonly number[] }) {
  const { tags, state } = useVariables(tagIds)
  const { isPending } = useQuery(personQuery)
  // Its author is the first recipient.
  if (state === 'wait' || isPending) return <ShapeWait shape="form" />
  return <ReportEditor key={tagIds.join()} space={space} tags={tags} />
}
