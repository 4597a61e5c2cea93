import { boards } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { type BoardRow, boardListQuery, boardsKey } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import css from './list.module.css'

/** The boards that were deleted lately. */
export function DeletedDialog({ space, onClose }: { space: PageSpace; onClose: () => void }) {
  const t = useBoardsText().list
  const { data } = useQuery(boardListQuery(space.asked, true))
  const restore = useAct({
    call: ({ id }: BoardRow) => call(boards.restoreBoard, { id }),
    done: ({ name }) => t.restored(name),
    touched: [boardsKey],
  })
  return (
    <Dialog title={t.deleted} onClose={onClose} width={520}>
      <p className={css.lead}>{t.deletedHint}</p>
      {!data && <Skeleton height={120} />}
      {data?.length === 0 && <EmptyState icon="trash" title={t.deletedEmpty} />}
      <ul className={css.rows}>
        {data?.map((board) => (
          <li key={board.id}>
            <span className={css.rowText}>
              <span className="cut">{board.name}</span>
              <RelativeTime at={board.deletedAt} className={css.minor} />
            </span>
            {board.mayEdit && (
              <Button size="small" busy={restore.isPending} onClick={() => restore.mutate(board)}>
                {t.restore}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
