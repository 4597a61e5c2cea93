const minuteMs = 60_000
const weekMs = 7 * 86_400_000

/** A device's value at a time, epoch milliseconds. */
interface SpikeSample {
  readonly ts: number
  readonly values: { readonly temp: number; readonly running: boolean }
}

/** The value that stands out; the others are 60 to 64. */
export const spikeValue = 95

/**
 * Two hours with a spike of `temp` in their middle and, a week before, the same hours without one: a value a minute, and
 * whether the machine ran, which it did for 90 minutes.
 */
export function spikeHours(spikeAt: number): SpikeSample[] {
  return [spikeAt, spikeAt - weekMs].flatMap((middle) =>
    Array.from({ length: 120 }, (_, minute) => {
      const ts = middle + (minute - 60) * minuteMs
      return { ts, values: { temp: ts === spikeAt ? spikeValue : 60 + (minute % 5), running: minute < 90 } }
    }),
  )
}
