import { machines } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Machine } from '../../../entities/machine/machine.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import css from '../../../shared/ui/dialogs/form.module.css'
import { ChoicesField } from '../../../shared/ui/fields/choices-field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { listMembers, refreshGroups, userGroupsQuery } from './group-queries.ts'
import { CreateGroup } from './groups-dialog.tsx'

/** Sets which groups a machine is in. */
export function MachineGroupsDialog({ machine, onClose }: { machine: Machine; onClose: () => void }) {
  const { machineEdit, app } = useText()
  const t = machineEdit.groups
  const lang = useLang()
  const client = useQueryClient()
  const groups = useQuery(userGroupsQuery)
  const former: readonly number[] = machine.groups.map((group) => group.id)
  const form = useForm({
    initial: { groupIds: former },
    send: async ({ groupIds }) => {
      const others = (ids: readonly number[]) => ids.filter((id) => id !== machine.id)
      for (const groupId of groupIds.filter((id) => !former.includes(id))) {
        const members = others(await listMembers(client, groupId, lang))
        await call(machines.updateUserGroup, { id: groupId, machineIds: [...members, machine.id] })
      }
      for (const groupId of former.filter((id) => !groupIds.includes(id))) {
        const members = others(await listMembers(client, groupId, lang))
        await call(machines.updateUserGroup, { id: groupId, machineIds: members })
      }
    },
    failed: t.failed,
    done: t.ofMachineSaved(machine.name),
    onSent: () => {
      onClose()
      return refreshGroups(client)
    },
    onRefused: () => refreshGroups(client),
  })

  return (
    <FormDialog
      title={t.ofMachine(machine.name)}
      submit={t.save}
      width={440}
      disabled={!groups.data}
      form={form}
      onClose={onClose}
      below={
        <CreateGroup
          focused={groups.data?.length === 0}
          onCreated={(groupId) => form.set('groupIds', [...form.values.groupIds, groupId])}
        />
      }
    >
      {groups.data && groups.data.length > 0 && (
        <ChoicesField
          label={t.ofMachineLabel}
          options={groups.data.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('groupIds')}
        />
      )}
      {groups.isPending && <Skeleton height={40} />}
      {groups.isError && !groups.data && (
        <p role="alert" className={css.error}>
          {t.loadFailed}
          <Button size="small" icon="refresh" onClick={() => void groups.refetch()}>
            {app.retry}
          </Button>
        </p>
      )}
    </FormDialog>
  )
}
