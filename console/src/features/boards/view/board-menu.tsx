import type { PageSpace } from '../../../shared/session/page-space.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../../shared/ui/menu/menu.tsx'
import type { Board } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { useBoardActs } from '../list/use-board-acts.tsx'
import { useBoardsSearch } from '../use-boards-search.ts'

/** The actions on an open board. */
export function BoardMenu({ board, space }: { board: Board; space: PageSpace }) {
  const t = useBoardsText()
  const [, update] = useBoardsSearch()
  const acts = useBoardActs(space, { onRemoved: () => update({ board: undefined, machine: undefined }) })
  return (
    <>
      <Menu
        label={t.view.more}
        placement="bottom end"
        trigger={<IconButton icon="more" label={t.view.more} />}
      >
        {acts.items(board)}
        {board.mayEdit && (
          <>
            <MenuLine />
            <MenuItem icon="history" onAction={() => acts.showVersions(board)}>
              {t.view.versions}
            </MenuItem>
          </>
        )}
      </Menu>
      {acts.dialogs}
    </>
  )
}
