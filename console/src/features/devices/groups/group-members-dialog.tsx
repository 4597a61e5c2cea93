import { machines } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { machineListQuery } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import { ChoicesField } from '../../../shared/ui/fields/choices-field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { refreshGroups } from './group-queries.ts'
import css from './groups-dialog.module.css'

const none: readonly Machine[] = []

/** Sets which machines of the personal list are in a group: one, many, or all results of a search. */
export function GroupMembersDialog({ group, onClose }: { group: machines.UserGroup; onClose: () => void }) {
  const t = useText().machineEdit.groups
  const lang = useLang()
  const client = useQueryClient()
  const all = useQuery(machineListQuery(lang)).data?.list ?? none
  const [first] = useState(() => all.filter((machine) => isIn(machine, group.id)).map(({ id }) => id))
  const form = useForm({
    route: machines.updateUserGroup,
    initial: { machineIds: first as readonly number[] },
    send: ({ machineIds }) => {
      // A machine that has left the list since is in none of its groups.
      const chosen = new Set(machineIds)
      const present = all.map(({ id }) => id).filter((id) => chosen.has(id))
      return call(machines.updateUserGroup, { id: group.id, machineIds: present })
    },
    failed: t.failed,
    done: (_, { machineIds }) => t.membersSaved(group.name, formatNumber(machineIds.length)),
    onSent: async () => {
      await refreshGroups(client)
      onClose()
    },
  })
  // The members at the time of opening come first; a press moves no line.
  const options = useMemo(() => {
    const members = new Set(first)
    return all
      .toSorted((a, b) => Number(members.has(b.id)) - Number(members.has(a.id)))
      .map(({ id, name, code, remark }) => ({ value: id, label: name, hint: code, words: remark }))
  }, [all, first])
  return (
    <FormDialog
      title={t.members(group.name)}
      submit={t.save}
      cancel={t.back}
      note={
        <Text grows tone="quiet" size={12} numbers className={css.foot} role="status">
          {t.membersChosen(formatNumber(form.values.machineIds.length))}
        </Text>
      }
      form={form}
      onClose={onClose}
    >
      <ChoicesField
        label={t.membersLabel}
        options={options}
        searchLabel={t.membersSearch}
        noneText={t.membersNone}
        allLabel={t.membersAll}
        {...form.field('machineIds')}
      />
    </FormDialog>
  )
}

const isIn = (machine: Machine, groupId: number) => machine.groups.some((group) => group.id === groupId)
