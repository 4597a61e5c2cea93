import { visits } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, getText } from '../../../shared/i18n/index.ts'
import { csvName } from '../../../shared/ui/data/csv.ts'
import { saveFile } from '../../../shared/ui/data/save-file.ts'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import type { VisitFilter } from '../visit-queries.ts'
import { formatVisits } from './visits-csv.ts'

const rowsPerCall = 200
/** More than a person reads, to end an endless export. */
const rowsMax = 10_000

/** Saves the visits a history shows, all its pages, as a file for a spreadsheet. */
export function useSaveVisits(machineName: string) {
  return useMutation({
    mutationFn: (visitFilter: VisitFilter) => listAll(visitFilter),
    onSuccess: ({ list, total }, visitFilter) => {
      const text = getText()
      const t = text.visits.pane.csv
      const now = Date.now()
      const range = { from: visitFilter.from ?? list.at(-1)?.from ?? now, to: visitFilter.to ?? now }
      saveFile(
        csvName(t.fileName(machineName), range),
        formatVisits(list, text, now),
        'text/csv;charset=utf-8',
      )
      if (list.length < total) showToast(t.cut(formatNumber(list.length)), 'info')
    },
    onError: () => showToast(getText().visits.pane.csv.failed, 'failure'),
  })
}

async function listAll(visitFilter: VisitFilter): Promise<{ list: visits.Visit[]; total: number }> {
  // A visit that ends in the meantime moves the pages, so each visit is listed once.
  const known = new Map<number, visits.Visit>()
  for (let page = 1; ; page++) {
    const request = { ...visitFilter, live: false, page, pageSize: rowsPerCall }
    const { list, total } = await call(visits.listVisits, request, { noNotice: true })
    for (const visit of list) known.set(visit.sessionId, visit)
    if (list.length < rowsPerCall || known.size >= rowsMax)
      return { list: [...known.values()].slice(0, rowsMax), total: Math.max(total, known.size) }
  }
}
