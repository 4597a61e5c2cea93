import { useEffect, useState } from 'react'
import type { TimeRange } from './time-range.ts'

/** Longer than this a person does not wait for a sign of their press. */
const patienceMs = 120

/**
 * The range that a chart draws: while the data of a new one is on its way, the range before it for a moment. An answer that
 * comes meanwhile is drawn at once; moving the old curves first would delay it by a picture that nobody looks at.
 */
export function usePatientRange(wanted: TimeRange, isComing: boolean): TimeRange {
  const [drawn, draw] = useState(wanted)
  useEffect(() => {
    if (!isComing) return
    const timer = setTimeout(draw, patienceMs, wanted)
    return () => clearTimeout(timer)
  }, [wanted, isComing])
  if (isComing) return drawn
  if (drawn !== wanted) draw(wanted)
  return wanted
}
