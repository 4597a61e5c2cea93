import { useEffect, useState } from 'react'

/** A board on the whole screen. */
export interface Wall {
  readonly isOn: boolean
  readonly toggle: () => void
}

/** Shows a board in the whole window, and in full screen if the browser allows it. */
export function useWall(): Wall {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const leave = () => {
      if (!document.fullscreenElement) setOn(false)
    }
    document.addEventListener('fullscreenchange', leave)
    return () => document.removeEventListener('fullscreenchange', leave)
  }, [isOn])
  return {
    isOn,
    toggle() {
      setOn(!isOn)
      if (isOn) void document.exitFullscreen?.().catch(() => undefined)
      else void document.documentElement.requestFullscreen?.().catch(() => undefined)
    },
  }
}
