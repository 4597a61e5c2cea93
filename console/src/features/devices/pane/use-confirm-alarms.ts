import { machines } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MachineDetail } from '../../../entities/machine/machine.ts'
import { alarmsKey } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'

/** Confirms open alarms of a machine: shown at once, and put back if the platform refuses. */
export function useConfirmAlarms(machineId: number): (alarmIds: readonly number[]) => void {
  const client = useQueryClient()
  const queryKey = ['machines', machineId, 'detail']

  const write = (alarmIds: readonly number[], confirmedAt: number | null) =>
    client.setQueriesData<MachineDetail>({ queryKey }, (machine) => {
      if (!machine || !('openAlarms' in machine)) return machine
      const openAlarms = machine.openAlarms.map((alarm) =>
        alarmIds.includes(alarm.alarmId) ? { ...alarm, confirmedAt } : alarm,
      )
      return { ...machine, openAlarms }
    })

  const { mutate } = useMutation({
    mutationFn: (alarmIds: readonly number[]) =>
      call(machines.confirmAlarms, { machineID: machineId, alarmIds: [...alarmIds] }),
    onMutate: (alarmIds) => write(alarmIds, Date.now()),
    onError: (_error, alarmIds) => write(alarmIds, null),
    onSettled: () =>
      Promise.all(
        [queryKey, alarmsKey(machineId)].map((each) => client.invalidateQueries({ queryKey: each })),
      ),
  })
  return mutate
}
