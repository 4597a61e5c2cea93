import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { push } from '../../shared/api/live.ts'
import { type ExportRow, exportListQuery } from './export-queries.ts'

/** Keeps the progress of exports in the list up to date. */
export function useExportSync(): void {
  const client = useQueryClient()
  useEffect(() => {
    const { queryKey } = exportListQuery()
    const again = () => void client.invalidateQueries({ queryKey })
    const leaves = [
      push.on('jobProgress', ({ jobId, isOver, progress }) => {
        const list = client.getQueryData<ExportRow[]>(queryKey)
        if (!list?.some((row) => row.jobId === jobId)) return
        if (isOver) return again()
        client.setQueryData<ExportRow[]>(queryKey, (rows) =>
          rows?.map((row) =>
            row.jobId === jobId && (row.state === 'waiting' || row.state === 'running')
              ? { ...row, state: 'running', progress: Math.max(progress, row.progress) }
              : row,
          ),
        )
      }),
      push.on('missed', again),
    ]
    return () => {
      for (const leave of leaves) leave()
    }
  }, [client])
}
