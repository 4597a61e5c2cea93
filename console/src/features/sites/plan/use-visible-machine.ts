import { useEffect } from 'react'

/** Watches the key value of the one machine that is shown. */
export function useVisibleMachine(watch: (machineIds: readonly number[]) => void, machineId: number): void {
  useEffect(() => {
    watch([machineId])
    return () => watch([])
  }, [watch, machineId])
}
