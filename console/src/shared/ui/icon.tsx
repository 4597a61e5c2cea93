import { type IconName, iconPaths } from './icon-paths.ts'

type IconProps = ({ name: IconName; path?: never } | { path: string; name?: never }) & {
  /** Side in pixels. */
  size?: number
  className?: string | undefined
}

/**
 * A drawing of the console's own set, or path data in the same 24 × 24 box. It is decoration: the word beside
 * it, or the button's name, says what it means. Strokes stay 1.5 px at every size.
 */
export function Icon({ name, path, size = 16, className }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={name ? iconPaths[name] : path} vectorEffect={size < 16 ? undefined : 'non-scaling-stroke'} />
    </svg>
  )
}
