import { ApiError } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { useLayoutKind } from '../../../shared/ui/layout-kind.ts'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { ShapeWait } from '../../../shared/ui/shape-wait.tsx'
import { boardQuery } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { useBoardsSearch } from '../use-boards-search.ts'
import { BoardView } from './board-view.tsx'

const BoardEditor = lazyPart(() => import('../edit/board-editor.tsx').then((module) => module.BoardEditor))

/** A single board. */
export function BoardPage({ id, space }: { id: number; space: PageSpace }) {
  const t = useBoardsText()
  const layout = useLayoutKind()
  const [{ edit }, update] = useBoardsSearch()
  const { data, error, isFetching, refetch } = useQuery(boardQuery(id))
  const isGone = error instanceof ApiError && error.code === '404'
  if (isGone)
    return (
      <EmptyState icon="cards" title={t.view.gone} hint={t.view.goneHint}>
        <Button onClick={() => update({ board: undefined, machine: undefined })}>{t.view.back}</Button>
      </EmptyState>
    )
  // A grid of 24 columns is edited only on a wide screen.
  if (data?.mayEdit && edit && layout === 'wide') return <BoardEditor board={data} space={space} />
  if (data) return <BoardView board={data} space={space} />
  if (!error) return <ShapeWait shape="chart" />
  return (
    <EmptyState icon="warning" title={t.list.failed}>
      <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
        {t.list.retry}
      </Button>
    </EmptyState>
  )
}
