import type { telemetry } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { push } from '../../shared/api/live.ts'
import { TagValueText } from '../../shared/ui/data/tag-value-text.tsx'
import { liveValues, useLiveValue } from './live-values.ts'
import { latestValuesQuery } from './machine-queries.ts'

/** The values of every variable of a device, as long as it is shown; none for device 0. */
export function useAllValues(machineId: number): void {
  const { data } = useQuery({ ...latestValuesQuery(machineId), enabled: machineId > 0 })
  useEffect(() => {
    if (data) liveValues.put(data)
  }, [data])
  useEffect(() => {
    if (machineId === 0) return
    return push.watch(machineId, undefined, (values) => liveValues.put(values))
  }, [machineId])
}

/** A variable's newest value. */
export function ValueNow({ tag }: { tag: telemetry.Tag }) {
  const now = useLiveValue(tag.tagId)
  return <TagValueText value={now?.value} tag={tag} quality={now?.quality ?? 'good'} />
}
