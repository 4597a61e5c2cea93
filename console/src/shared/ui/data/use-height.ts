import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The height of an element in pixels, followed; 0 before it was measured. */
export function useHeight<E extends HTMLElement>(): [ref: RefObject<E | null>, height: number] {
  const ref = useRef<E>(null)
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    setHeight(element.clientHeight)
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, height]
}
