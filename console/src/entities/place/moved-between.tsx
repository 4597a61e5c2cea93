import type { AnswerOf, Lang, places } from '@busbar/contract'
import { placeText as cn } from '../../shared/i18n/cn/places.ts'
import { placeText as en } from '../../shared/i18n/en/places.ts'
import { useLang } from '../../shared/i18n/index.ts'
import { Text } from '../../shared/ui/layout/layout.tsx'

const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }
const digits = 5

interface Point {
  readonly lat: number
  readonly lng: number
}

const say = ({ lat, lng }: Point): string => `${lat.toFixed(digits)}, ${lng.toFixed(digits)}`

/** Both places of a machine that was moved; nothing for a person who is not told them. */
export function MovedBetween({ place }: { place: AnswerOf<typeof places.getPlace> }) {
  const t = texts[useLang()]
  const to = place.suggestion ?? place.place
  if (!place.movedFrom || !to) return null
  return (
    <Text as="p" numbers>
      {t.movedFrom(say(place.movedFrom), say(to))}
    </Text>
  )
}
