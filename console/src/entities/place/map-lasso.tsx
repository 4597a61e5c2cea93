import { type ReactNode, useEffect, useRef, useState } from 'react'
import css from './map-lasso.module.css'
import { usePlaceMap } from './use-place-map.ts'

interface MapLassoProps {
  /** A drag without Shift draws an outline as well. */
  readonly isOn: boolean
  /** Called with the marks inside of what was drawn. */
  readonly onChosen: (ids: readonly number[]) => void
}

interface Point {
  readonly x: number
  readonly y: number
}

const tinyPixels = 4

const boxOf = (a: Point, b: Point): Point[] => [a, { x: b.x, y: a.y }, b, { x: a.x, y: b.y }]

/** Chooses marks: Shift and a drag draw a box, and while it is on every drag draws an outline by hand. */
export function MapLasso({ isOn, onChosen }: MapLassoProps): ReactNode {
  const map = usePlaceMap()
  const [outline, setOutline] = useState<readonly Point[]>()
  const chosen = useRef(onChosen)
  useEffect(() => {
    chosen.current = onChosen
  })

  useEffect(() => {
    const container = map.map.getCanvasContainer()
    let drawn: Point[] | undefined
    let isBox = false
    const pointOf = (event: PointerEvent): Point => {
      const { left, top } = container.getBoundingClientRect()
      return { x: event.clientX - left, y: event.clientY - top }
    }
    const shape = () => {
      const [start, end] = [drawn?.[0], drawn?.at(-1)]
      return isBox && start && end ? boxOf(start, end) : (drawn ?? [])
    }
    const begin = (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary || !(event.shiftKey || isOn)) return
      isBox = event.shiftKey
      drawn = [pointOf(event)]
      map.map.dragPan.disable()
    }
    const draw = (event: PointerEvent) => {
      if (!drawn || !event.isPrimary) return
      drawn.push(pointOf(event))
      setOutline([...shape()])
    }
    const end = (event: PointerEvent) => {
      if (!drawn || !event.isPrimary) return
      const [start, last] = [drawn[0], drawn.at(-1)]
      const isTiny = drawn.every(
        ({ x, y }) => !start || Math.abs(x - start.x) + Math.abs(y - start.y) < tinyPixels,
      )
      if (event.type === 'pointerup' && last && !isTiny) chosen.current(map.idsWithin(shape()))
      drawn = undefined
      setOutline(undefined)
      map.map.dragPan.enable()
    }
    // Before the map's own listeners, which would begin to drag it; and beyond the edges of the map.
    container.addEventListener('pointerdown', begin, true)
    const beyond = { pointermove: draw, pointerup: end, pointercancel: end }
    for (const [name, listener] of Object.entries(beyond))
      addEventListener(name, listener as EventListener, true)
    // A finger draws instead of scrolling the page.
    if (isOn) container.style.touchAction = 'none'
    return () => {
      container.removeEventListener('pointerdown', begin, true)
      for (const [name, listener] of Object.entries(beyond))
        removeEventListener(name, listener as EventListener, true)
      container.style.touchAction = ''
      map.map.dragPan.enable()
    }
  }, [map, isOn])

  return (
    <svg aria-hidden="true" className={css.area}>
      {outline && (
        <polygon className={css.outline} points={outline.map(({ x, y }) => `${x},${y}`).join(' ')} />
      )}
    </svg>
  )
}
