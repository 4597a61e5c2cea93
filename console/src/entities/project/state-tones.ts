import type { projects } from '@busbar/contract'
import type { TagTone } from '../../shared/ui/tag.tsx'

/** The colours of the states of what a project sends. */
export const stateTones: Readonly<Record<projects.ReportingState, TagTone>> = {
  failing: 'bad',
  quotaOver: 'bad',
  stopped: 'warn',
  off: 'plain',
  waiting: 'warn',
  well: 'good',
}
