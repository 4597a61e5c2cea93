import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { type Note, notesQuery } from './note-queries.ts'

const none: readonly Note[] = []

/** The notes that touch a range, the newest first. */
export function useNotes(machineIds: readonly number[], range: TimeRange): readonly Note[] {
  const { data } = useQuery(notesQuery(machineIds, range))
  return useMemo(
    () => data?.filter(({ from, to }) => from <= range.to && to >= range.from) ?? none,
    [data, range],
  )
}
