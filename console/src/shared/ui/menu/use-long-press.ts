import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

const holdMs = 500
/** A finger that moves further than this scrolls. */
const slackPx = 10

/** Runs an action when a person holds a finger on an element. A right click does the same. */
export function useLongPress(run: (element: HTMLElement) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const from = useRef({ x: 0, y: 0 })
  const isHeld = useRef(false)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      isHeld.current = false
      stop()
      if (event.pointerType === 'mouse') return
      const element = event.currentTarget
      from.current = { x: event.clientX, y: event.clientY }
      timer.current = setTimeout(() => {
        isHeld.current = true
        run(element)
      }, holdMs)
    },
    onPointerMove(event: PointerEvent) {
      const { x, y } = from.current
      if (Math.hypot(event.clientX - x, event.clientY - y) > slackPx) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu(event: MouseEvent<HTMLElement>) {
      event.preventDefault()
      stop()
      if (isHeld.current) return
      isHeld.current = true
      run(event.currentTarget)
    },
    onClickCapture(event: MouseEvent) {
      // The finger goes up after a long press: the button must not treat that as a press.
      if (!isHeld.current) return
      isHeld.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
