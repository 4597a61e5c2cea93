import { useEffect, useState } from 'react'

/** A machine of the picture: its values are invented, not measured. */
export interface PlayedMachine {
  /** Path data in a 24 × 24 box. */
  readonly icon: string
  readonly unit: string
  readonly scale: number
  /** Above it the row shows an alarm. */
  readonly limit: number
  readonly points: readonly number[]
  /** The hour of the strip that shows a gap; -1 if there is none. */
  readonly gap: number
}

interface Cast extends Omit<PlayedMachine, 'points'> {
  readonly mean: number
  /** How far it moves per step. */
  readonly step: number
  /** A slow wave around the mean. */
  readonly swing: number
}

const pointsShown = 64
const stepMs = 1_600
/** Begins when the first machine is just above its limit. */
const firstStep = 83

const cast: readonly Cast[] = [
  {
    icon: 'M4 4h16M4 20h16M7 4v16M17 4v16M7 9h10M7 15h10',
    unit: '°C',
    scale: 1,
    limit: 102,
    mean: 96,
    step: 1.2,
    swing: 9,
    gap: -1,
  },
  {
    icon: 'M7 3h10l-2 8 3 10H6l3-10zM9 11h6M8 16h8',
    unit: '°C',
    scale: 1,
    limit: 40,
    mean: 29,
    step: 0.2,
    swing: 1.4,
    gap: 7,
  },
  {
    icon: 'M4 9h16v8H4zM7 9V6h5v3M7 17v3M17 17v3M15 13h.01',
    unit: 'bar',
    scale: 2,
    limit: 9,
    mean: 7.3,
    step: 0.05,
    swing: 0.2,
    gap: -1,
  },
  {
    icon: 'M12 3.5c3.5 4 5.5 6.8 5.5 9.8a5.5 5.5 0 0 1-11 0c0-3 2-5.8 5.5-9.8z',
    unit: 'MPa',
    scale: 2,
    limit: 1,
    mean: 0.42,
    step: 0.01,
    swing: 0.04,
    gap: 15,
  },
]

/**
 * The machines of the picture, moving a step at a time; they stand still for people who ask for less motion.
 */
export function usePlayedMachines(): readonly PlayedMachine[] {
  const [at, setAt] = useState(firstStep)
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const timer = setInterval(() => {
      if (!document.hidden) setAt((before) => before + 1)
    }, stepMs)
    return () => clearInterval(timer)
  }, [])
  return cast.map(({ mean, step, swing, ...machine }, seed) => ({
    ...machine,
    points: Array.from({ length: pointsShown }, (_, place) => {
      const time = at - pointsShown + place
      return mean + swing * Math.sin(time / 11 + seed * 2) + step * noise(time, seed)
    }),
  }))
}

/** The same for the same step: a point stays what it was while the line moves on. From -1 to 1. */
function noise(time: number, seed: number): number {
  const turned = Math.sin(time * 12.9898 + seed * 78.233) * 43758.5453
  return (turned - Math.floor(turned)) * 2 - 1
}
