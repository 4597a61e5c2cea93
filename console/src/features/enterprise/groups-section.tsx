import { enterprises, mayCall } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { groupsQuery, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { type Confirmation, ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import type { SectionProps } from './manage-section.ts'

interface Group {
  readonly id: number
  readonly name: string
  readonly count: number
}

const keyOf = ({ id }: Group) => id
const nameOf = ({ name }: Group) => name

/** The groups devices are sorted into. */
export function GroupsSection({ space, permission }: SectionProps): ReactNode {
  const { enterprises: words, table } = useText()
  const t = words.manage.groups
  const { eid } = space
  const queries = useQueryClient()
  const query = useQuery(groupsQuery(eid))
  const view = useTableView({ id: 'enterprise.groups' })
  const [edited, edit] = useState<Group | 'new'>()
  const [asked, ask] = useState<Confirmation>()
  const mayChange = mayCall(enterprises.updateGroup, permission)

  const columns = useMemo(
    (): readonly TableColumn<Group>[] => [
      {
        id: 'name',
        title: t.columns.name,
        ...{ width: 170, grow: 1, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name }) => <NameCell name={name} />,
      },
      {
        id: 'devices',
        title: t.columns.devices,
        ...{ width: 130, rank: 2, card: 'plain' },
        value: ({ count }) => count,
        cell: ({ count }) => t.count(count),
      },
      actionsColumn<Group>(
        table.actions,
        84,
        (group) =>
          mayChange && (
            <RowActions>
              <IconButton
                icon="edit"
                size="small"
                label={`${t.rename}: ${group.name}`}
                onClick={() => edit(group)}
              />
              <IconButton
                icon="trash"
                size="small"
                label={t.removeTitle(group.name)}
                onClick={() =>
                  ask({
                    title: t.removeTitle(group.name),
                    body: t.removeBody,
                    action: t.remove,
                    done: t.removed,
                    call: () => call(enterprises.removeGroup, { eid, id: group.id }),
                  })
                }
              />
            </RowActions>
          ),
      ),
    ],
    [t, table, mayChange, eid],
  )

  const removeMany = (groups: readonly Group[]): Confirmation => ({
    title: t.removeMany(groups.length),
    body: t.removeBody,
    action: t.remove,
    done: t.removed,
    call: async () => {
      for (const { id } of groups) await call(enterprises.removeGroup, { eid, id })
      view.select(new Set())
    },
  })

  const add = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => edit('new')}>
      {t.add}
    </Button>
  )
  return (
    <>
      <DataTable
        title={words.manage.tabs.groups}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        fileName={words.manage.tabs.groups}
        {...(mayChange && {
          bulk: (groups: readonly Group[]) => (
            <Button size="small" onClick={() => ask(removeMany(groups))}>
              {t.remove}
            </Button>
          ),
        })}
        empty={{ icon: 'group', title: t.empty, hint: t.emptyHint, action: add }}
        actions={query.data && query.data.length > 0 && add}
      />
      {edited && (
        <GroupDialog
          eid={eid}
          group={edited === 'new' ? undefined : edited}
          onClose={() => edit(undefined)}
        />
      )}
      {asked && (
        <ConfirmDialog
          confirmation={asked}
          onClose={() => ask(undefined)}
          onSettled={() => queries.invalidateQueries({ queryKey: spaceKey(eid) })}
        />
      )}
    </>
  )
}

interface GroupDialogProps {
  eid: number
  group: Group | undefined
  onClose: () => void
}

function GroupDialog({ eid, group, onClose }: GroupDialogProps) {
  const { enterprises: words } = useText()
  const t = words.manage.groups
  const form = useForm({
    route: group ? enterprises.updateGroup : enterprises.createGroup,
    initial: { name: group?.name ?? '' },
    words: { name: { required: t.nameMissing, noSpecial: t.special } },
    send: ({ name }): Promise<unknown> =>
      group
        ? call(enterprises.updateGroup, { eid, id: group.id, name: name.trim() })
        : call(enterprises.createGroup, { eid, name: name.trim() }),
    done: t.saved,
    touched: [spaceKey(eid)],
    onSent: onClose,
  })
  return (
    <FormDialog title={group ? t.rename : t.add} submit={words.devices.save} form={form} onClose={onClose}>
      <TextField label={t.name} autoFocus {...form.text('name')} />
    </FormDialog>
  )
}
