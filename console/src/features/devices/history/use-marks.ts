import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  alarmMarksQuery,
  type HistoryMark,
  listMarks,
  writeMarksQuery,
} from '../../../entities/history/history-marks.ts'
import type { Note } from '../../../entities/history/note-queries.ts'
import { machineDetailQuery } from '../../../entities/machine/machine-queries.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import type { TimeRange } from '../../../shared/ui/data/time-range.ts'

/** Notes, alarms and writes of a machine within a range. Without a key of it only its open alarms are known. */
export function useMarks(
  machineId: number,
  {
    openAlarms,
    isKey,
    range,
    notes,
  }: { openAlarms: number; isKey: boolean; range: TimeRange; notes: readonly Note[] },
): readonly HistoryMark[] {
  const lang = useLang()
  const { data: detail } = useQuery(machineDetailQuery(machineId, lang))
  const { data: alarms } = useQuery({ ...alarmMarksQuery(machineId, openAlarms, lang), enabled: isKey })
  const { data: writes } = useQuery({ ...writeMarksQuery(machineId), enabled: isKey })
  return useMemo(() => {
    const known = detail && 'openAlarms' in detail ? detail.openAlarms : []
    const open = known.map(({ alarmId, level, text, key, raisedAt }) => ({
      ...{ id: alarmId, level, text: text || key },
      ...{ at: raisedAt, clearedAt: null },
    }))
    return listMarks([...open, ...(alarms ?? [])], writes ?? [], range, notes)
  }, [detail, alarms, writes, range, notes])
}
