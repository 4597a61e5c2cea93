import type { UsageLevel } from './format-usage.ts'

const colours: Readonly<Record<UsageLevel, string>> = {
  calm: 'var(--chart-1)',
  near: 'var(--warn)',
  full: 'var(--crit)',
}
const thickness = { height: 6, borderRadius: 3 } as const

/** The used part of a volume, as decoration under its words. */
export function UsageBar({ share, level }: { share: number; level: UsageLevel }) {
  return (
    <span
      aria-hidden="true"
      style={{ ...thickness, display: 'block', overflow: 'hidden', background: 'var(--off-bg)' }}
    >
      <span
        style={{
          ...thickness,
          display: 'block',
          width: `${Math.min(share, 1) * 100}%`,
          background: colours[level],
        }}
      />
    </span>
  )
}
