import { useCallback, useEffect, useRef } from 'react'
import { push } from '../../shared/api/live.ts'
import { liveValues } from './live-values.ts'
import type { Machine } from './machine.ts'

/** Rows that pass by in a fast scroll are not requested. */
const settleMs = 150

/**
 * Watches the key values of the rows that are drawn, and of no others. Returns the function that takes their
 * ids.
 */
export function useKeyValueWatch(machines: readonly Machine[]): (machineIds: readonly number[]) => void {
  const byId = useRef(new Map<number, Machine>())
  const watched = useRef(new Map<string, () => void>())
  const visible = useRef<readonly number[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const settle = useCallback(() => {
    const wanted = new Map<string, { machineId: number; tagId: number }>()
    for (const machineId of visible.current) {
      const tagId = byId.current.get(machineId)?.overview?.keyTag?.tagId
      if (tagId !== undefined) wanted.set(`${machineId}/${tagId}`, { machineId, tagId })
    }
    for (const [key, end] of watched.current) {
      if (wanted.has(key)) continue
      end()
      watched.current.delete(key)
    }
    for (const [key, { machineId, tagId }] of wanted) {
      if (watched.current.has(key)) continue
      watched.current.set(
        key,
        push.watch(machineId, [tagId], (values) => liveValues.put(values)),
      )
    }
  }, [])

  useEffect(() => {
    byId.current = new Map(machines.map((machine) => [machine.id, machine]))
    settle()
  }, [machines, settle])

  useEffect(() => {
    const ends = watched.current
    return () => {
      clearTimeout(timer.current)
      for (const end of ends.values()) end()
      ends.clear()
    }
  }, [])

  return useCallback(
    (machineIds) => {
      visible.current = machineIds
      clearTimeout(timer.current)
      timer.current = setTimeout(settle, settleMs)
    },
    [settle],
  )
}
