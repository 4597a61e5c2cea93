import { projects } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { filterMachines } from '../../../entities/machine/machine-order.ts'
import type { Project } from '../../../entities/project/project.ts'
import { projectsKey } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { BulkDialog } from '../../../shared/ui/dialogs/bulk-dialog.tsx'
import { type Pick, PickField } from '../../../shared/ui/fields/pick-field.tsx'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { useDetailText } from './detail-text.ts'
import { useLinkableMachines } from './use-linkable-machines.ts'

/** The most that a person looks through; more are searched for. */
const machinesShown = 50
const pickOf = ({ id, name, code }: Machine): Pick => ({ value: id, label: name, hint: code })

/** Adds devices to a project, one after the other, and names each that could not be added. */
export function AddMachinesDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const t = useDetailText().machines
  const client = useQueryClient()
  const machines = useLinkableMachines(project)
  const [query, setQuery] = useState('')
  const asked = useDeferredValue(query)
  const [chosen, choose] = useState<readonly Pick[]>([])
  const fitting = useMemo(
    () => machines && filterMachines([...machines], { query: asked, state: null, groupId: null }),
    [machines, asked],
  )
  return (
    <BulkDialog
      bulk={{
        title: t.addTitle,
        body: (
          <Stack gap={14}>
            <Text as="p" pretty>
              {t.addLead}
            </Text>
            <PickField
              label={t.pick}
              search={t.pickSearch}
              onQuery={setQuery}
              value={chosen}
              onChange={choose}
              found={fitting?.slice(0, machinesShown).map(pickOf)}
              hasMore={(fitting?.length ?? 0) > machinesShown}
              none={t.pickNone}
            />
          </Stack>
        ),
        action: t.add,
        isReady: chosen.length > 0,
        rows: chosen,
        keyOf: ({ value }) => value,
        nameOf: ({ label }) => label,
        run: ({ value }) =>
          call(projects.addProjectMachine, { id: project.id, machineId: value }, { noNotice: true }),
        done: t.added(chosen.length),
      }}
      view={{ select: () => {} }}
      onClose={onClose}
      onSettled={() => client.invalidateQueries({ queryKey: projectsKey })}
    />
  )
}
