import { boards } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import type { Act } from '../../../shared/resource/acts.tsx'
import { enterprisesQuery } from '../../../shared/session/account-queries.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { saveFile } from '../../../shared/ui/data/save-file.ts'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { type BoardRow, boardsKey } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { fileNameOf } from './board-file.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { TemplateDialog } from './template-dialog.tsx'

const ShareDialog = lazyPart(
  () => import('./share-dialog.tsx').then((module) => module.ShareDialog),
  'dialog',
)

type Target = Pick<BoardRow, 'id' | 'name' | 'version' | 'mayEdit' | 'mayShare'>

const mayEdit = (board: Target) => board.mayEdit
const mayShare = (board: Target) => board.mayShare

/** The acts on a board, in the list and on the board itself. */
export function useBoardActs(space: PageSpace, onRemoved?: () => void): readonly Act<Target>[] {
  const t = useBoardsText().list
  const spaces = useQuery(enterprisesQuery).data ?? []
  /** A copy that stays in the space is a duplicate; one for another space says where it goes. */
  const copyTo = (name: string, eid?: number): Act<Target> => {
    const isHere = eid === space.asked.eid
    return {
      label: isHere ? t.duplicate : t.copyTo(name),
      icon: 'copy',
      place: 'menu',
      run: async (board) => {
        const { layout } = await call(boards.getBoard, { id: board.id })
        return call(boards.createBoard, { name: board.name, layout, ...(eid === undefined ? {} : { eid }) })
      },
      done: (board) => (isHere ? t.duplicated : t.copied)(board.name),
    }
  }
  return [
    {
      label: t.rename,
      icon: 'edit',
      place: 'menu',
      fits: mayEdit,
      opens: (close, board) => <RenameDialog board={board} onClose={close} />,
    },
    {
      label: t.share,
      icon: 'user',
      place: 'menu',
      fits: mayShare,
      opens: (close, board) => <ShareDialog board={board} onClose={close} />,
    },
    copyTo(t.mine),
    ...spaces.map(({ eid, name }) => copyTo(name, eid)),
    {
      label: t.saveTemplate,
      icon: 'cards',
      place: 'menu',
      opens: (close, board) => <TemplateDialog board={board} space={space} onClose={close} />,
    },
    {
      label: t.exportFile,
      icon: 'download',
      place: 'menu',
      run: async (board) => {
        const file = await call(boards.exportBoard, { id: board.id })
        saveFile(fileNameOf(board), `${JSON.stringify(file, null, 2)}\n`, 'application/json')
      },
      done: t.exportFile,
      touched: [],
    },
    {
      label: t.remove,
      icon: 'trash',
      place: 'menu',
      danger: true,
      fits: mayShare,
      run: async ({ id }) => {
        await call(boards.deleteBoard, { id })
        onRemoved?.()
      },
      done: ({ name }) => t.removed(name),
      undo: ({ id }) => call(boards.restoreBoard, { id }),
      // The removed board itself is asked for no more.
      touched: [[...boardsKey, 'list']],
    },
  ]
}
