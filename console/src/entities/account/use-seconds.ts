import { useEffect, useState } from 'react'

const secondMs = 1_000

/** Whole seconds until an instant (epoch milliseconds), counted down; 0 from then on. */
export function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(Date.now)
  const left = Math.max(0, Math.ceil((at - now) / secondMs))
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= at) clearInterval(timer)
    }, secondMs)
    return () => clearInterval(timer)
  }, [at])
  return left
}
