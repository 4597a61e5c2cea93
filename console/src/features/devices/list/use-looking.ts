import { type PointerEvent, useEffect, useRef, useState } from 'react'

/** A pointer that rests this long is parked, not looking. */
const parkedMs = 4_000

export interface LookingProps {
  readonly onPointerMove: (event: PointerEvent) => void
  readonly onPointerLeave: () => void
}

/** Whether a pointer moves over an element, as a sign that a press may follow. */
export function useLooking(): [looking: boolean, props: LookingProps] {
  const [looking, setLooking] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const end = () => {
    clearTimeout(timer.current)
    setLooking(false)
  }
  return [
    looking,
    {
      onPointerMove: () => {
        clearTimeout(timer.current)
        timer.current = setTimeout(end, parkedMs)
        setLooking(true)
      },
      onPointerLeave: end,
    },
  ]
}
