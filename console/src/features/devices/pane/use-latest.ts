import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { liveValues } from '../../../entities/machine/live-values.ts'
import { latestValuesQuery } from '../../../entities/machine/machine-queries.ts'

/** Puts the newest values into the cache, where the push continues them. */
export function useLatest(machineId: number, mayRead: boolean): void {
  const { data } = useQuery({ ...latestValuesQuery(machineId), enabled: mayRead })
  useEffect(() => {
    if (data) liveValues.put(data)
  }, [data])
}
