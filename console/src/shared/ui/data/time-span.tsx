import { formatExact } from '../../i18n/index.ts'
import { formatLasts, partsOfTimeSpan } from '../../i18n/time-span.ts'
import { Text } from '../layout/layout.tsx'

interface TimeSpanProps {
  from: number
  to: number
  /** Its length follows: where somebody decides on it. */
  hasLength?: boolean
  /** On paper, which is read in other years. */
  hasYear?: boolean
}

/** From when to when: "28 Nov 11:00 – 29 Nov 11:00, 24 h". A line breaks between the two, and nowhere else. */
export function TimeSpan({ from, to, hasLength = false, hasYear = false }: TimeSpanProps) {
  const [begin, end] = partsOfTimeSpan({ from, to }, hasYear)
  return (
    <Text numbers data-tip={`${formatExact(from)} – ${formatExact(to)}`}>
      <Text oneLine>{begin}</Text>{' '}
      <Text oneLine>{hasLength ? `${end}, ${formatLasts(to - from)}` : end}</Text>
    </Text>
  )
}
