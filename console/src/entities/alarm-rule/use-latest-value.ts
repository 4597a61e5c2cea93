import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { push } from '../../shared/api/live.ts'
import type { LiveValue } from '../../shared/api/live-value.ts'
import { liveValues, useLiveValue } from '../machine/live-values.ts'
import { latestValuesQuery } from '../machine/machine-queries.ts'

/** The newest value of a variable of a machine, kept up to date. */
export function useLatestValue(machineId: number, tagId: number | null): LiveValue | undefined {
  const { data } = useQuery(latestValuesQuery(machineId))
  useEffect(() => {
    if (data) liveValues.put(data)
  }, [data])
  useEffect(() => {
    if (tagId === null) return
    return push.watch(machineId, [tagId], (values) => liveValues.put(values))
  }, [machineId, tagId])
  return useLiveValue(tagId)
}
