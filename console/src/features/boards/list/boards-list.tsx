import { useMayEdit } from '../../../entities/enterprise/enterprise-queries.ts'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { boardListQuery, boardsKey } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { useBoardsSearch } from '../use-boards-search.ts'
import { useBoardActs } from './board-acts.tsx'
import { DeletedDialog } from './deleted-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { NewDialog } from './new-dialog.tsx'

/** The boards of a space. */
export function BoardsList({ space }: { space: PageSpace }) {
  const t = useBoardsText().list
  const [, update] = useBoardsSearch()
  const mayEdit = useMayEdit(space)
  const acts = useBoardActs(space)
  const openBoard = (id: number, edit?: true) => update({ board: id, edit, machine: undefined })
  return (
    <List
      id="boards"
      title={t.title}
      lead={t.lead}
      rows={whole(boardListQuery(space.asked))}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: {
          kind: 'name',
          value: 'name',
          minor: ({ sharedBy }) => (sharedBy === null ? '' : t.sharedBy(sharedBy)),
          width: 200,
          grow: 3,
        },
        type: { kind: 'text', value: 'machineType', width: 120, rank: 4, card: 'plain' },
        tiles: { kind: 'count', value: 'tiles', width: 80, rank: 3 },
        updated: { kind: 'time', value: 'updatedAt', as: 'ago', width: 140, grow: 1, rank: 2 },
        by: { kind: 'text', value: 'updatedBy', rank: 5 },
      }}
      search={t.search}
      onOpen={({ id }) => openBoard(id)}
      touched={[boardsKey]}
      acts={acts}
      add={
        mayEdit && {
          label: t.add,
          opens: (close) => (
            <NewDialog
              space={space}
              onClose={close}
              onCreated={(id) => {
                close()
                openBoard(id, true)
              }}
            />
          ),
        }
      }
      more={[
        mayEdit && {
          label: t.importFile,
          icon: 'transfer',
          opens: (close) => (
            <ImportDialog
              space={space}
              onClose={close}
              onCreated={(id) => {
                close()
                openBoard(id)
              }}
            />
          ),
        },
        {
          label: t.deleted,
          icon: 'trash',
          opens: (close) => <DeletedDialog space={space} onClose={close} />,
        },
      ]}
      empty={{ icon: 'cards', title: t.empty, hint: mayEdit ? t.emptyHint : t.emptyMember }}
    />
  )
}
