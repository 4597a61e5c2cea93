import { projectLimits } from '@busbar/contract'
import type { deliveriesText as cn } from '../cn/project-deliveries.ts'

export const deliveriesText: typeof cn = {
  title: 'Deliveries',
  lead: `Of the last ${projectLimits.deliveryDays} days. A request that is refused five times becomes a dead letter, and the rows after it go on. Send it again when the receiver is mended.`,
  columns: {
    at: 'Time',
    target: 'Destination',
    status: 'Result',
    rows: 'Rows',
    bytes: 'Size',
    attempts: 'Tries',
    ms: 'Took',
  },
  states: { ok: 'Delivered', failed: 'Failed', dead: 'Dead letter', resent: 'Sent again' },
  requests: (requests) => `${requests} requests`,
  state: 'Result',
  of: 'Destination',
  all: 'All destinations',
  empty: 'No deliveries yet',
  emptyHint: 'They’re listed here once the project has rows and a destination that is on.',
  detailTitle: (rows) => (rows === '1' ? 'Delivery of 1 row' : `Delivery of ${rows} rows`),
  failed: 'The delivery couldn’t be loaded',
  noRequest: 'Only requests of dead letters are kept',
  resend: 'Send again',
  resendOf: (target) => `Send again to ${target}`,
  resent: 'Sent again',
}
