import { boards } from '@busbar/contract'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx'
import { EmptyState, ListFailed } from '../../../shared/ui/empty-state.tsx'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { type BoardRow, boardsKey, deletedBoardsQuery } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import css from './list.module.css'

/** The boards that were deleted lately: each can be restored, or removed for good. */
export function DeletedDialog({ space, onClose }: { space: PageSpace; onClose: () => void }) {
  const t = useBoardsText().list
  const client = useQueryClient()
  const deleted = useInfiniteQuery(deletedBoardsQuery(space.asked))
  const [removing, setRemoving] = useState<BoardRow>()
  const rows = deleted.data?.pages.flat()
  const restore = useAct({
    call: ({ id }: BoardRow) => call(boards.restoreBoard, { id }),
    done: ({ name }) => t.restored(name),
    touched: [boardsKey],
  })
  return (
    <Dialog title={t.deleted} onClose={onClose} width={520}>
      <Text as="p" below={10} tone="soft">
        {t.deletedHint}
      </Text>
      {!rows && !deleted.isError && <Skeleton height={120} />}
      {!rows && deleted.isError && (
        <ListFailed isFetching={deleted.isFetching} retry={() => void deleted.refetch()} />
      )}
      {rows?.length === 0 && <EmptyState icon="trash" title={t.deletedEmpty} />}
      <ul className={css.rows}>
        {rows?.map((board) => (
          <li key={board.id}>
            <span className={css.rowText}>
              <span className="cut">{board.name}</span>
              <RelativeTime at={board.deletedAt} className={css.minor} />
            </span>
            {board.mayEdit && (
              <Row as="span" align="stretch" gap={8}>
                <Button kind="ghost" size="small" onClick={() => setRemoving(board)}>
                  {t.removeForGood}
                </Button>
                <Button
                  size="small"
                  busy={restore.isPending && restore.variables.id === board.id}
                  disabled={restore.isPending}
                  onClick={() => restore.mutate(board)}
                >
                  {t.restore}
                </Button>
              </Row>
            )}
          </li>
        ))}
      </ul>
      {deleted.hasNextPage && (
        <Button busy={deleted.isFetchingNextPage} onClick={() => void deleted.fetchNextPage()}>
          {t.deletedMore}
        </Button>
      )}
      {removing && (
        <ConfirmDialog
          confirmation={{
            title: t.removeForGoodAsk(removing.name),
            body: t.removeForGoodHint,
            action: t.removeForGood,
            done: t.removedForGood(removing.name),
            call: () => call(boards.deleteBoard, { id: removing.id, forGood: true }, { noNotice: true }),
          }}
          onClose={() => setRemoving(undefined)}
          onSettled={() => client.invalidateQueries({ queryKey: boardsKey })}
        />
      )}
    </Dialog>
  )
}
