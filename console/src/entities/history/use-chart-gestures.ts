import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import type { PlotPlace } from '../../shared/ui/data/trend-canvas.tsx'
import { moveRange, zoomRange } from './history-span.ts'

/** A press that moves less than this is not a drag. */
const dragPixelsMin = 5
/** Zoom factor per notch of a wheel. */
const wheelZoom = 1.0015

interface GestureOptions {
  chart: RefObject<HTMLElement | null>
  place: PlotPlace | null
  range: TimeRange
  /** A wheel zooms without a key held: nothing else would scroll. */
  freeWheel: boolean
  onCursor: (at: number | null) => void
  onSelect: (range: TimeRange) => void
  onMove: (range: TimeRange) => void
}

interface Press {
  readonly pointerId: number
  readonly at: number
  readonly x: number
}

/** Fingers on the chart, and the time under each when the pinch began. */
interface Pinch {
  readonly range: TimeRange
  readonly times: readonly [number, number]
}

/**
 * A mouse moves the cursor, a drag marks the range to zoom to, a wheel zooms (with Ctrl, if the page scrolls
 * too) or moves sideways. One finger moves the cursor, two zoom and move.
 */
export function useChartGestures(options: GestureOptions) {
  const { chart, place, range, freeWheel, onCursor, onSelect, onMove } = options
  const [selected, setSelected] = useState<TimeRange | null>(null)
  const press = useRef<Press | null>(null)
  const fingers = useRef(new Map<number, number>())
  const pinch = useRef<Pinch | null>(null)
  /** The last position of the mouse: browsers report it again when an element is drawn under it. */
  const mouse = useRef<{ x: number; y: number }>(undefined)
  /** The cursor was placed by the mouse, not by a key. */
  const points = useRef(false)

  function timeAt(clientX: number, within: TimeRange = range): number {
    const left = (chart.current?.getBoundingClientRect().left ?? 0) + (place?.left ?? 0)
    const share = (clientX - left) / (place?.width ?? 1)
    return within.from + Math.min(Math.max(share, 0), 1) * (within.to - within.from)
  }

  function isPlot(clientX: number): boolean {
    if (!place || !chart.current) return false
    const left = chart.current.getBoundingClientRect().left + place.left
    return clientX >= left - 2 && clientX <= left + place.width + 2
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0 || isControl(event.target) || !isPlot(event.clientX)) return
    event.currentTarget.setPointerCapture(event.pointerId)
    if (event.pointerType === 'touch') {
      fingers.current.set(event.pointerId, event.clientX)
      beginPinch()
      if (fingers.current.size === 1) onCursor(timeAt(event.clientX))
      return
    }
    press.current = { pointerId: event.pointerId, at: timeAt(event.clientX), x: event.clientX }
  }

  function beginPinch() {
    const [first, second] = [...fingers.current.values()]
    pinch.current =
      first !== undefined && second !== undefined && fingers.current.size === 2
        ? { range, times: [timeAt(first), timeAt(second)] }
        : null
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (fingers.current.has(event.pointerId)) {
      fingers.current.set(event.pointerId, event.clientX)
      if (pinch.current) return movePinch(pinch.current)
      if (fingers.current.size === 1) onCursor(timeAt(event.clientX))
      return
    }
    if (event.pointerType === 'touch') return
    const pressed = press.current
    if (pressed && Math.abs(event.clientX - pressed.x) >= dragPixelsMin) {
      const at = timeAt(event.clientX)
      setSelected({ from: Math.min(pressed.at, at), to: Math.max(pressed.at, at) })
    }
    const { clientX: x, clientY: y } = event
    if (mouse.current?.x === x && mouse.current.y === y) return
    mouse.current = { x, y }
    points.current = isPlot(x) && !isControl(event.target)
    onCursor(points.current ? timeAt(x) : null)
  }

  /** The times under both fingers stay under them. */
  function movePinch({ times }: Pinch) {
    const [first, second] = [...fingers.current.values()]
    if (first === undefined || second === undefined || !place) return
    const pixels = second - first
    const msPerPixel = (times[1] - times[0]) / pixels
    if (Math.abs(pixels) < dragPixelsMin || msPerPixel <= 0) return
    const left = (chart.current?.getBoundingClientRect().left ?? 0) + place.left
    const from = times[0] - (first - left) * msPerPixel
    onMove({ from, to: from + place.width * msPerPixel })
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    fingers.current.delete(event.pointerId)
    beginPinch()
    if (press.current?.pointerId !== event.pointerId) return
    press.current = null
    setSelected(null)
    if (selected && event.type === 'pointerup') onSelect(selected)
  }

  function onPointerLeave(event: PointerEvent<HTMLElement>) {
    if (event.pointerType === 'touch' || press.current || !points.current) return
    points.current = false
    mouse.current = undefined
    onCursor(null)
  }

  function onDoubleClick(event: { clientX: number; target: EventTarget }) {
    if (!isControl(event.target) && isPlot(event.clientX)) onMove(zoomRange(range, 2, timeAt(event.clientX)))
  }

  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (isControl(event.target) || !isPlot(event.clientX)) return
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey
    const isFocused = chart.current?.contains(document.activeElement) ?? false
    if (!isSideways && !(freeWheel || isFocused || event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
    if (isSideways) {
      const delta = (event.deltaX || event.deltaY) * pixels
      onMove(moveRange(range, delta / (place?.width ?? 1)))
    } else onMove(zoomRange(range, wheelZoom ** (event.deltaY * pixels), timeAt(event.clientX)))
  })
  useEffect(() => {
    const element = chart.current
    const listen = (event: WheelEvent) => onWheel(event)
    // React's own listener is passive and could not keep the page from scrolling.
    element?.addEventListener('wheel', listen, { passive: false })
    return () => element?.removeEventListener('wheel', listen)
  }, [chart])

  /** Cancels a drag; true if there was one. */
  function cancel(): boolean {
    const had = press.current !== null && selected !== null
    press.current = null
    setSelected(null)
    return had
  }

  /** A key moves the cursor: the mouse that leaves takes it nowhere. */
  function release() {
    points.current = false
  }

  return {
    selected,
    cancel,
    release,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onPointerLeave,
      onDoubleClick,
    },
  }
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, [data-legend]') !== null
