import { boards } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { enterprisesQuery } from '../../../shared/session/account-queries.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { saveFile } from '../../../shared/ui/data/save-file.ts'
import { MenuItem } from '../../../shared/ui/menu/menu.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { useAct } from '../../../shared/ui/use-act.ts'
import { type BoardRow, boardsKey } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { fileNameOf } from './board-file.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { VersionsDialog } from './versions-dialog.tsx'

type Target = Pick<BoardRow, 'id' | 'name' | 'version' | 'mayEdit'>
type Opened = { readonly what: 'rename' | 'template' | 'versions'; readonly board: Target }

/** The actions on a board, in the list and on the board itself. */
export function useBoardActs(
  space: PageSpace,
  { onRemoved }: { onRemoved?: () => void } = {},
): {
  items: (board: Target) => ReactNode
  showVersions: (board: Target) => void
  dialogs: ReactNode
} {
  const t = useBoardsText().list
  const client = useQueryClient()
  const [opened, open] = useState<Opened>()
  const spaces = useQuery(enterprisesQuery).data ?? []
  const again = () => client.invalidateQueries({ queryKey: boardsKey })
  const restore = useAct({
    call: ({ id }: Target) => call(boards.restoreBoard, { id }),
    done: ({ name }) => t.restored(name),
    touched: [boardsKey],
  })
  const remove = useAct({
    call: async (board: Target) => {
      await call(boards.deleteBoard, { id: board.id })
      showToast(t.removed(board.name), 'done', () => restore.mutate(board))
      onRemoved?.()
      return board
    },
    done: ({ name }) => t.removed(name),
    touched: [[...boardsKey, 'list']],
  })
  const copy = useAct({
    call: async ({ board, eid }: { board: Target; eid: number | undefined }) => {
      const { name, layout } = await call(boards.getBoard, { id: board.id })
      return call(boards.createBoard, { name, layout, ...(eid === undefined ? {} : { eid }) })
    },
    done: ({ board }) => t.copied(board.name),
    touched: [boardsKey],
  })
  const save = useAct({
    call: async (board: Target) => {
      const file = await call(boards.exportBoard, { id: board.id })
      saveFile(fileNameOf(board), `${JSON.stringify(file, null, 2)}\n`, 'application/json')
    },
    done: t.exportFile,
    touched: [],
  })
  return {
    showVersions: (board) => open({ what: 'versions', board }),
    items: (board) => (
      <>
        {board.mayEdit && (
          <MenuItem icon="edit" onAction={() => open({ what: 'rename', board })}>
            {t.rename}
          </MenuItem>
        )}
        <MenuItem icon="copy" onAction={() => copy.mutate({ board, eid: undefined })}>
          {t.copyTo(t.mine)}
        </MenuItem>
        {spaces.map(({ eid, name }) => (
          <MenuItem key={eid} icon="copy" onAction={() => copy.mutate({ board, eid })}>
            {t.copyTo(name)}
          </MenuItem>
        ))}
        <MenuItem icon="cards" onAction={() => open({ what: 'template', board })}>
          {t.saveTemplate}
        </MenuItem>
        <MenuItem icon="download" onAction={() => save.mutate(board)}>
          {t.exportFile}
        </MenuItem>
        {board.mayEdit && (
          <MenuItem icon="trash" danger onAction={() => remove.mutate(board)}>
            {t.remove}
          </MenuItem>
        )}
      </>
    ),
    dialogs: opened && (
      <>
        {opened.what === 'rename' && (
          <RenameDialog board={opened.board} onClose={() => open(undefined)} onDone={again} />
        )}
        {opened.what === 'template' && (
          <TemplateDialog board={opened.board} space={space} onClose={() => open(undefined)} />
        )}
        {opened.what === 'versions' && (
          <VersionsDialog board={opened.board} onClose={() => open(undefined)} />
        )}
      </>
    ),
  }
}
