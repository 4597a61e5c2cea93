import { machines } from '@busbar/contract'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  alarmMarksQuery,
  type HistoryMark,
  listMarks,
  writeMarksQuery,
} from '../../entities/history/history-marks.ts'
import type { Note } from '../../entities/history/note-queries.ts'
import { useSpaceMachines } from '../../entities/machine/space-machines.ts'
import { useLang } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import type { ExplorerTag } from './use-explorer.ts'

/** Notes, and alarms and writes of the devices of which the reader has a key. */
export function useExplorerMarks(
  space: PageSpace,
  found: readonly ExplorerTag[],
  { range, notes }: { readonly range: TimeRange; readonly notes: readonly Note[] },
): readonly HistoryMark[] {
  const lang = useLang()
  const list = useSpaceMachines(space)
  const keyed = useMemo(() => {
    const shown = new Set(found.map(({ machine }) => machine.id))
    return (list ?? []).filter(({ id, level }) => shown.has(id) && level >= machines.limitAuthority.bkey)
  }, [list, found])
  const alarms = useQueries({
    queries: keyed.map(({ id, openAlarms }) => alarmMarksQuery(id, openAlarms, lang)),
    combine: (results) => results.map(({ data }) => data ?? []),
  })
  const writes = useQueries({
    queries: keyed.map(({ id }) => writeMarksQuery(id)),
    combine: (results) => results.map(({ data }) => data ?? []),
  })
  const several = new Set(found.map(({ machine }) => machine.id)).size > 1
  return useMemo(() => {
    const nameOf = (place: number, words: string) => {
      const name = keyed[place]?.name
      return several && name ? `${name} · ${words}` : words
    }
    return listMarks(
      alarms.flatMap((one, place) => one.map((alarm) => ({ ...alarm, text: nameOf(place, alarm.text) }))),
      writes.flatMap((one, place) => one.map((write) => ({ ...write, tag: nameOf(place, write.tag) }))),
      range,
      notes,
    )
  }, [keyed, alarms, writes, several, range, notes])
}
