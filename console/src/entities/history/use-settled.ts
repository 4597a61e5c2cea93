import { useEffect, useRef, useState } from 'react'

/**
 * A list once it has not changed for a while; the first one, and the first after an empty one, apply
 * immediately. Until then, the previous list is returned.
 */
export function useSettled<T>(list: readonly T[], waitMs: number): readonly T[] {
  const [settled, setSettled] = useState(list)
  const newest = useRef(list)
  newest.current = list
  const key = list.join()
  const isSame = key === settled.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: by its content, so that a new array of the same does not wait
  useEffect(() => {
    if (isSame) return
    const timer = setTimeout(() => setSettled(newest.current), settled.length > 0 ? waitMs : 0)
    return () => clearTimeout(timer)
  }, [key, isSame, settled.length, waitMs])
  return isSame ? list : settled
}
