import { mayInEnterprise, views } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { permissionQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { emptyMark, useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { Menu, MenuItem } from '../../shared/ui/menu/menu.tsx'
import { NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { useAct } from '../../shared/ui/use-act.ts'
import { useExplorerText } from './explorer-text.ts'
import type { UpdateExplorer } from './use-explorer-search.ts'
import { ViewNameDialog } from './view-name-dialog.tsx'
import { emptySearch, type SavedView, viewsKey, viewsQuery } from './view-queries.ts'

const keyOf = ({ id }: SavedView) => id
const nameOf = ({ name }: SavedView) => name

interface ViewsListProps {
  space: PageSpace
  /** The control that starts a new chart. */
  pick: ReactNode
  onOpen: UpdateExplorer
}

/** The saved views of a space, the start page of the explorer. */
export function ViewsList({ space, pick, onOpen }: ViewsListProps) {
  const text = useText()
  const words = useExplorerText()
  const t = words.views
  const view = useTableView({ id: 'explorer.views' })
  const query = useQuery(viewsQuery(space.asked))
  const { eid } = space.asked
  const { data: permission } = useQuery({ ...permissionQuery(eid ?? 0), enabled: eid !== undefined })
  const mayEdit = eid === undefined || mayInEnterprise(permission, 'manage')
  const [renamed, rename] = useState<SavedView>()
  const again = useAct<SavedView>({
    call: ({ name, state }) => call(views.createView, { name, ...space.asked, state }),
    done: ({ name }) => t.saved(name),
    touched: [viewsKey],
  })
  const remove = useAct<SavedView>({
    call: async (one) => {
      await call(views.deleteView, { id: one.id })
      showToast(t.removed(one.name), 'done', () => again.mutate(one))
    },
    done: ({ name }) => t.removed(name),
    touched: [viewsKey],
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons of a row do the same with each drawing
  const columns = useMemo(
    (): readonly TableColumn<SavedView>[] => [
      {
        id: 'name',
        title: t.name,
        ...{ width: 200, grow: 3, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name }) => <NameCell name={name} />,
      },
      {
        id: 'tags',
        title: t.tags,
        ...{ width: 90, rank: 3 },
        value: ({ state }) => state.tags.length,
      },
      {
        id: 'updated',
        title: t.updated,
        ...{ width: 140, grow: 1, rank: 2 },
        value: ({ updatedAt }) => updatedAt,
        cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
      },
      {
        id: 'by',
        title: t.by,
        ...{ width: 140, grow: 1, rank: 5 },
        value: ({ updatedBy }) => updatedBy || emptyMark,
      },
      ...(mayEdit
        ? [
            actionsColumn<SavedView>(text.table.actions, 60, (one) => (
              <RowActions>
                <Menu
                  label={t.more(one.name)}
                  placement="bottom end"
                  trigger={<IconButton icon="more" size="small" label={t.more(one.name)} />}
                >
                  <MenuItem icon="edit" onAction={() => rename(one)}>
                    {t.rename}
                  </MenuItem>
                  <MenuItem icon="trash" danger onAction={() => remove.mutate(one)}>
                    {t.remove}
                  </MenuItem>
                </Menu>
              </RowActions>
            )),
          ]
        : []),
    ],
    [t, text, mayEdit],
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
        onOpen={({ state }) => onOpen({ ...emptySearch, ...state })}
        actions={pick}
        empty={{ icon: 'chart', title: words.empty, hint: words.emptyHint }}
      />
      {renamed && <ViewNameDialog space={space} of={{ view: renamed }} onClose={() => rename(undefined)} />}
    </>
  )
}
