import type { TagTone } from '../../shared/ui/tag.tsx'
import type { ReportRun } from './report-queries.ts'

/** The colours of the states of a report's run. */
export const runTones: Readonly<Record<ReportRun['state'], TagTone>> = {
  waiting: 'plain',
  making: 'accent',
  done: 'good',
  failed: 'bad',
}
