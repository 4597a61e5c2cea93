import { type AnswerOf, enterprises } from '@busbar/contract'
import type { ReactNode } from 'react'
import { groupsQuery, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import type { SectionProps } from './manage-section.ts'

type Group = AnswerOf<typeof enterprises.listGroups>[number]

/** The groups devices are sorted into. */
export function GroupsSection({ space: { eid }, permission }: SectionProps): ReactNode {
  const { manage } = useText().enterprises
  const t = manage.groups
  const dialog = (close: () => void, group?: Group) => <GroupDialog eid={eid} group={group} onClose={close} />
  return (
    <List
      id="enterprise.groups"
      title={manage.tabs.groups}
      rows={whole(groupsQuery(eid))}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: { kind: 'name', value: 'name' },
        devices: { kind: 'count', value: 'count', words: t.count, width: 130, card: 'plain' },
      }}
      search={t.search}
      isExported
      permission={permission}
      touched={[spaceKey(eid)]}
      add={{ label: t.add, route: enterprises.createGroup, opens: dialog }}
      acts={[
        { label: t.rename, icon: 'edit', route: enterprises.updateGroup, opens: dialog },
        {
          ...calls(enterprises.removeGroup, ({ id }: Group) => ({ eid, id })),
          label: t.remove,
          icon: 'trash',
          of: ({ name }) => t.removeTitle(name),
          asks: { title: ({ name }) => t.removeTitle(name), many: t.removeMany, body: t.removeBody },
          done: t.removed,
        },
      ]}
      empty={{ icon: 'group', title: t.empty, hint: t.emptyHint }}
    />
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
