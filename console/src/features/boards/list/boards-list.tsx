import { mayInEnterprise } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { permissionQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import { emptyMark, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { Menu, MenuItem } from '../../../shared/ui/menu/menu.tsx'
import { NameCell, RowActions } from '../../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../../shared/ui/table/table-source.ts'
import { useTableView } from '../../../shared/ui/table/use-table-view.ts'
import { type BoardRow, boardListQuery } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { useBoardsSearch } from '../use-boards-search.ts'
import { DeletedDialog } from './deleted-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { NewDialog } from './new-dialog.tsx'
import { useBoardActs } from './use-board-acts.tsx'

const keyOf = ({ id }: BoardRow) => id
const nameOf = ({ name }: BoardRow) => name

/** The boards of a space. */
export function BoardsList({ space }: { space: PageSpace }) {
  const text = useText()
  const t = useBoardsText().list
  const [, update] = useBoardsSearch()
  const view = useTableView({ id: 'boards' })
  const query = useQuery(boardListQuery(space.asked))
  const { eid } = space.asked
  const { data: permission } = useQuery({ ...permissionQuery(eid ?? 0), enabled: eid !== undefined })
  const mayEdit = eid === undefined || mayInEnterprise(permission, 'manage')
  const [dialog, open] = useState<'new' | 'import' | 'deleted'>()
  const acts = useBoardActs(space)
  const { items } = acts
  const openBoard = (id: number, edit = false) =>
    update({ board: id, edit: edit || undefined, machine: undefined })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons of a row do the same with each drawing
  const columns = useMemo(
    (): readonly TableColumn<BoardRow>[] => [
      {
        id: 'name',
        title: t.columns.name,
        ...{ width: 200, grow: 3, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name }) => <NameCell name={name} />,
      },
      {
        id: 'type',
        title: t.columns.type,
        ...{ width: 120, grow: 1, rank: 4, card: 'plain' },
        value: ({ machineType }) => machineType ?? emptyMark,
      },
      { id: 'tiles', title: t.columns.tiles, ...{ width: 80, rank: 3 }, value: ({ tiles }) => tiles },
      {
        id: 'updated',
        title: t.columns.updated,
        ...{ width: 140, grow: 1, rank: 2 },
        value: ({ updatedAt }) => updatedAt,
        cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
      },
      {
        id: 'by',
        title: t.columns.by,
        ...{ width: 140, grow: 1, rank: 5 },
        value: ({ updatedBy }) => updatedBy || emptyMark,
      },
      actionsColumn<BoardRow>(text.table.actions, 60, (board) => (
        <RowActions>
          <Menu
            label={t.more(board.name)}
            placement="bottom end"
            trigger={<IconButton icon="more" size="small" label={t.more(board.name)} />}
          >
            {items(board)}
          </Menu>
        </RowActions>
      )),
    ],
    [t, text],
  )

  return (
    <>
      <DataTable
        title={t.title}
        lead={t.lead}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        onOpen={({ id }) => openBoard(id)}
        actions={
          <>
            <Menu
              label={text.table.actions}
              trigger={<IconButton icon="more" bordered label={text.table.actions} />}
            >
              {mayEdit && (
                <MenuItem icon="transfer" onAction={() => open('import')}>
                  {t.importFile}
                </MenuItem>
              )}
              <MenuItem icon="trash" onAction={() => open('deleted')}>
                {t.deleted}
              </MenuItem>
            </Menu>
            {mayEdit && (
              <Button kind="primary" icon="plus" onClick={() => open('new')}>
                {t.add}
              </Button>
            )}
          </>
        }
        empty={{ icon: 'cards', title: t.empty, hint: mayEdit ? t.emptyHint : t.emptyMember }}
      />
      {acts.dialogs}
      {dialog === 'new' && (
        <NewDialog
          space={space}
          onClose={() => open(undefined)}
          onCreated={(id) => {
            open(undefined)
            openBoard(id, true)
          }}
        />
      )}
      {dialog === 'import' && (
        <ImportDialog
          space={space}
          onClose={() => open(undefined)}
          onCreated={(id) => {
            open(undefined)
            openBoard(id)
          }}
        />
      )}
      {dialog === 'deleted' && <DeletedDialog space={space} onClose={() => open(undefined)} />}
    </>
  )
}
