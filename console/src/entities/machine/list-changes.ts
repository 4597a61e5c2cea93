import type { QueryClient } from '@tanstack/react-query'
import type { Machine } from './machine.ts'
import type { MachineList } from './machine-queries.ts'

const listKey = ['machines', 'list'] as const

/** Changes a machine's row in the cache, before the list is reloaded. */
export function changeRow(client: QueryClient, machineId: number, change: Partial<Machine>): void {
  client.setQueriesData<MachineList>(
    { queryKey: listKey },
    (data) =>
      data && {
        ...data,
        list: data.list.map((machine) => (machine.id === machineId ? { ...machine, ...change } : machine)),
      },
  )
}

/** Removes a machine's row immediately; the returned function puts it back in place. */
export function takeRow(client: QueryClient, machineId: number): () => void {
  const taken = new Map<string, { machine: Machine; place: number }>()
  for (const [key, data] of client.getQueriesData<MachineList>({ queryKey: listKey })) {
    const place = data?.list.findIndex((machine) => machine.id === machineId) ?? -1
    const machine = data?.list[place]
    if (!data || !machine) continue
    taken.set(JSON.stringify(key), { machine, place })
    client.setQueryData<MachineList>(key, { ...data, list: data.list.toSpliced(place, 1) })
  }
  return () => {
    for (const [key, data] of client.getQueriesData<MachineList>({ queryKey: listKey })) {
      const former = taken.get(JSON.stringify(key))
      if (!former || !data || data.list.some((machine) => machine.id === machineId)) continue
      client.setQueryData<MachineList>(key, {
        ...data,
        list: data.list.toSpliced(former.place, 0, former.machine),
      })
    }
  }
}

/** Reloads the list and everything of one machine. */
export async function refreshMachine(client: QueryClient, machineId: number): Promise<void> {
  await Promise.all([
    refreshList(client),
    client.invalidateQueries({ queryKey: ['machines', machineId, 'detail'] }),
  ])
}

export async function refreshList(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: listKey })
}
