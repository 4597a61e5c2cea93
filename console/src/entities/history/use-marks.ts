import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import {
  alarmMarksQuery,
  type HistoryMark,
  listMarks,
  type MarkedAlarm,
  writeMarksQuery,
} from './history-marks.ts'
import type { Note } from './note-queries.ts'

export interface KeyedMachine {
  readonly id: number
  readonly name: string
  readonly openAlarms: number
}

/** Notes within a range, with the alarms and writes of the machines whose key the reader has. */
export function useMarks(
  keyed: readonly KeyedMachine[],
  {
    openAlarms,
    isNamed,
    range,
    notes,
  }: {
    readonly openAlarms: readonly MarkedAlarm[]
    /** Each mark names its machine. */
    readonly isNamed: boolean
    readonly range: TimeRange
    readonly notes: readonly Note[]
  },
): readonly HistoryMark[] {
  const lang = useLang()
  const alarms = useQueries({
    queries: keyed.map(({ id, openAlarms }) => alarmMarksQuery(id, openAlarms, lang)),
    combine: (results) => results.map(({ data }) => data ?? []),
  })
  const writes = useQueries({
    queries: keyed.map(({ id }) => writeMarksQuery(id)),
    combine: (results) => results.map(({ data }) => data ?? []),
  })
  return useMemo(() => {
    const named = (index: number, words: string) => (isNamed ? `${keyed[index]?.name} · ${words}` : words)
    return listMarks(
      [
        ...openAlarms,
        ...alarms.flatMap((own, index) => own.map((alarm) => ({ ...alarm, text: named(index, alarm.text) }))),
      ],
      writes.flatMap((own, index) => own.map((write) => ({ ...write, tag: named(index, write.tag) }))),
      range,
      notes,
    )
  }, [keyed, openAlarms, isNamed, alarms, writes, range, notes])
}
