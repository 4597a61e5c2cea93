import type { BatchPlan } from './plan-batch.ts'

/** The year 10000. Stamps from then on, and before 1970, are not kept. */
const stampEnd = 253_402_300_800_000

/**
 * The statement that keeps the machine's own stamps of samples stored at another time, with its semicolon; empty where there
 * are none. As text, so that it goes in one query with the COPY: it holds nothing but numbers.
 */
export function insertStamps({ samples, tags, stamps }: BatchPlan): string {
  let rows = ''
  for (let index = 0; index < samples.length; index++) {
    const stamp = stamps[index] ?? Number.NaN
    const time = samples[index]?.time
    if (stamp === time || !(stamp >= 0 && stamp < stampEnd)) continue
    rows += `${rows === '' ? '' : ','}(${tags[index]?.id},${time},${stamp})`
  }
  if (rows === '') return ''
  return `insert into sample_stamps (tag_id, at, stamp)
    select tag_id, to_timestamp(at / 1000.0), to_timestamp(stamp / 1000.0)
    from (values ${rows}) as kept (tag_id, at, stamp); `
}

/** A stamp as a newest value's row holds it: null where it is its time, or cannot be kept. */
export function latestStampOf(stamp: number, time: number): string | null {
  return stamp === time || !(stamp >= 0 && stamp < stampEnd) ? null : new Date(stamp).toISOString()
}
