import { PageActs } from '../../../shared/resource/acts.tsx'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { type Board, boardsKey } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { useBoardActs } from '../list/board-acts.tsx'
import { VersionsDialog } from '../list/versions-dialog.tsx'
import { useBoardsSearch } from '../use-boards-search.ts'

/** The acts on an open board. */
export function BoardMenu({ board, space }: { board: Board; space: PageSpace }) {
  const t = useBoardsText().view
  const [, update] = useBoardsSearch()
  const acts = useBoardActs(space, () => update({ board: undefined, machine: undefined }))
  return (
    <PageActs
      menu={t.more}
      acts={[
        board.mayEdit && {
          label: t.versions,
          icon: 'history',
          opens: (close) => <VersionsDialog board={board} onClose={close} />,
        },
        ...acts,
      ]}
      row={board}
      name={board.name}
      touched={[boardsKey]}
    />
  )
}
