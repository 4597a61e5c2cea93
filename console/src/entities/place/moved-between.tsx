import type { AnswerOf, places } from '@busbar/contract'
import { Text } from '../../shared/ui/layout/layout.tsx'
import type { Place } from './map-point.ts'
import { usePlaceText } from './place-text.ts'

const digits = 5

const say = ({ lat, lng }: Place): string => `${lat.toFixed(digits)}, ${lng.toFixed(digits)}`

/** Both places of a machine that was moved; nothing for a person who is not told them. */
export function MovedBetween({ place }: { place: AnswerOf<typeof places.getPlace> }) {
  const t = usePlaceText()
  const to = place.suggestion ?? place.place
  if (!place.movedFrom || !to) return null
  return (
    <Text as="p" numbers>
      {t.movedFrom(say(place.movedFrom), say(to))}
    </Text>
  )
}
