import { views } from '@busbar/contract'
import type { ReactNode } from 'react'
import { useMayEdit } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { useExplorerText } from './explorer-text.ts'
import type { UpdateExplorer } from './use-explorer-search.ts'
import { ViewNameDialog } from './view-name-dialog.tsx'
import { emptySearch, type SavedView, viewsKey, viewsQuery } from './view-queries.ts'

interface ViewsListProps {
  space: PageSpace
  /** The control that starts a new chart. */
  pick: ReactNode
  onOpen: UpdateExplorer
}

/** The saved views of a space, the start page of the explorer. */
export function ViewsList({ space, pick, onOpen }: ViewsListProps) {
  const words = useExplorerText()
  const t = words.views
  const mayEdit = useMayEdit(space)
  return (
    <List
      id="explorer.views"
      title={t.title}
      lead={t.lead}
      rows={whole(viewsQuery(space.asked))}
      rowKey="id"
      titles={t}
      columns={{
        name: { kind: 'name', value: 'name', width: 200, grow: 3 },
        tags: { kind: 'count', value: ({ state }) => state.tags.length, width: 90, rank: 3 },
        updated: { kind: 'time', value: 'updatedAt', as: 'ago', width: 140, grow: 1, rank: 2 },
        by: { kind: 'text', value: 'updatedBy', rank: 5 },
      }}
      search={t.search}
      onOpen={({ state }) => onOpen({ ...emptySearch, ...state })}
      touched={[viewsKey]}
      acts={
        mayEdit
          ? [
              {
                label: t.rename,
                icon: 'edit',
                place: 'menu',
                opens: (close, view) => <ViewNameDialog space={space} of={{ view }} onClose={close} />,
              },
              {
                ...calls(views.deleteView, ({ id }: SavedView) => ({ id })),
                label: t.remove,
                icon: 'trash',
                place: 'menu',
                danger: true,
                done: ({ name }) => t.removed(name),
                undo: ({ name, state }) => call(views.createView, { name, ...space.asked, state }),
              },
            ]
          : []
      }
      controls={pick}
      empty={{ icon: 'chart', title: words.empty, hint: words.emptyHint }}
    />
  )
}
