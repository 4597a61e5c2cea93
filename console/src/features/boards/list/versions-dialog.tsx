import { boards } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { formatMinute } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { EmptyState, ListFailed } from '../../../shared/ui/empty-state.tsx'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { type BoardRow, boardsKey, boardVersionsQuery } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import css from './list.module.css'

/** The former versions of a board, with a button to restore one. */
export function VersionsDialog({ board, onClose }: { board: Pick<BoardRow, 'id'>; onClose: () => void }) {
  const t = useBoardsText().versions
  const { data, isError, isFetching, refetch } = useQuery(boardVersionsQuery(board.id))
  const restore = useAct({
    call: (version: number) => call(boards.restoreBoardVersion, { id: board.id, version }),
    done: t.restored,
    touched: [boardsKey],
    onDone: onClose,
  })
  return (
    <Dialog title={t.title} onClose={onClose} width={560}>
      <Text as="p" below={10} tone="soft">
        {t.lead}
      </Text>
      {!data && !isError && <Skeleton height={120} />}
      {!data && isError && <ListFailed isFetching={isFetching} retry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState icon="history" title={t.empty} />}
      <ul className={css.rows}>
        {data?.map(({ version, at, by, tiles }) => (
          <li key={version}>
            <span className={css.rowText}>
              <span>{formatMinute(at)}</span>
              <span className={css.minor}>
                {[by, t.version(version), t.tiles(tiles)].filter(Boolean).join(' · ')}
              </span>
            </span>
            <Button size="small" busy={restore.isPending} onClick={() => restore.mutate(version)}>
              {t.restore}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
