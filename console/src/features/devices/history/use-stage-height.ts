import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Layout } from './history-layout.ts'

/** Of one chart, and of each of several under one another, in pixels. */
const least = { one: 220, several: 120 } as const
/** Beside the list a chart is no higher than this. */
const most = { one: 380, several: 190 } as const
/** Toolbar, notes, times and foot. */
const aroundStage = 196
const legendHeight = 30
const laneHeight = 62

/** How high the charts are together: what there is, within what is readable. */
export function useStageHeight(box: RefObject<HTMLElement | null>, layout: Layout, large: boolean): number {
  const [available, setAvailable] = useState(0)
  useLayoutEffect(() => {
    const scroller = box.current?.parentElement
    if (!scroller) return
    const observer = new ResizeObserver(() => setAvailable(scroller.clientHeight))
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [box])
  const panels = Math.max(layout.panels.length, 1)
  const size = panels > 1 ? 'several' : 'one'
  const room = available - aroundStage - panels * legendHeight - layout.lanes.length * laneHeight
  const each = Math.max(room / panels, least[size])
  return Math.round(panels * (large ? each : Math.min(each, most[size])))
}
