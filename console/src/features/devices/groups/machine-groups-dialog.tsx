import { machines } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import form from '../../../shared/ui/dialogs/form.module.css'
import { ChecksField } from '../../../shared/ui/fields/choice-fields.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { explainGroupFailure, listMembers, refreshGroups, userGroupsQuery } from './group-queries.ts'
import css from './groups-dialog.module.css'
import { CreateGroup } from './groups-dialog.tsx'

/** Which of one's groups a machine is in. */
export function MachineGroupsDialog({ machine, onClose }: { machine: Machine; onClose: () => void }) {
  const { machineEdit, app } = useText()
  const t = machineEdit.groups
  const lang = useLang()
  const client = useQueryClient()
  const groups = useQuery(userGroupsQuery)
  const former = machine.groups.map((group) => group.id)
  const [chosen, setChosen] = useState<readonly number[]>(former)

  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const others = (ids: readonly number[]) => ids.filter((id) => id !== machine.id)
      for (const groupId of chosen.filter((id) => !former.includes(id))) {
        const members = others(await listMembers(client, groupId, lang))
        await call(machines.updateUserGroup, { id: groupId, machineIds: [...members, machine.id] })
      }
      for (const groupId of former.filter((id) => !chosen.includes(id))) {
        const members = others(await listMembers(client, groupId, lang))
        await call(machines.updateUserGroup, { id: groupId, machineIds: members })
      }
    },
    onSuccess: () => {
      showToast(t.ofMachineSaved(machine.name))
      onClose()
    },
    onSettled: () => refreshGroups(client),
  })

  return (
    <Dialog
      title={t.ofMachine(machine.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" busy={isPending} disabled={!groups.data} onClick={() => mutate()}>
            {t.save}
          </Button>
        </>
      }
    >
      <div className={css.column}>
        {groups.data && groups.data.length > 0 && (
          <ChecksField
            label={t.ofMachineLabel}
            values={chosen}
            options={groups.data.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosen}
          />
        )}
        {groups.isPending && <Skeleton height={40} />}
        {groups.isError && !groups.data && (
          <p role="alert" className={form.error}>
            {t.loadFailed}
            <Button size="small" icon="refresh" onClick={() => void groups.refetch()}>
              {app.retry}
            </Button>
          </p>
        )}
        <CreateGroup
          focused={groups.data?.length === 0}
          onCreated={(groupId) => setChosen((before) => [...before, groupId])}
        />
        {error && (
          <p role="alert" className={form.error}>
            <Icon name="warning" size={14} />
            {explainGroupFailure(error, t, lang)}
          </p>
        )}
      </div>
    </Dialog>
  )
}
