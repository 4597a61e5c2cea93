import { formatNumber } from '../../../shared/i18n/index.ts'

/** A day's number of alarms as a bar. */
export const barOf = ({ from, raised }: { readonly from: number; readonly raised: number }) => ({
  from,
  amount: raised,
  text: formatNumber(raised),
})
