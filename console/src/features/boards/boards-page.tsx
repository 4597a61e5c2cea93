import type { ReactNode } from 'react'
import { DataCentre } from '../../entities/data-centre/data-centre.tsx'
import { BoardsList } from './list/boards-list.tsx'
import { useBoardsSearch } from './use-boards-search.ts'
import { BoardPage } from './view/board-page.tsx'

/** The boards of a space, or one of them. */
export function BoardsPage(): ReactNode {
  const [{ board }] = useBoardsSearch()
  return (
    <DataCentre tab="boards">
      {(space) =>
        board === undefined ? (
          <BoardsList space={space} />
        ) : (
          <BoardPage key={board} id={board} space={space} />
        )
      }
    </DataCentre>
  )
}
