import { type PointerEvent, useEffect, useRef } from 'react'

const firstMs = 400
const nextMs = 60

/** A button that does its work once when it is pressed, and again and again while it is held. */
export function useRepeat(run: () => void) {
  const latest = useRef(run)
  latest.current = run
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])

  function again(waitMs: number) {
    timer.current = setTimeout(() => {
      latest.current()
      again(nextMs)
    }, waitMs)
  }

  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return
      // The field keeps its focus, and a phone its keyboard.
      event.preventDefault()
      latest.current()
      again(firstMs)
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // A screen reader clicks without a pointer.
    onClick: (event: { detail: number }) => event.detail === 0 && latest.current(),
  }
}
