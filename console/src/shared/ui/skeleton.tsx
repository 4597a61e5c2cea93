import css from './skeleton.module.css'

interface SkeletonProps {
  width?: number | string
  height?: number | string
  className?: string | undefined
}

/** Stands where something will be, in its measures. Silent for screen readers: the list says that it is busy. */
export function Skeleton({ width = '100%', height = 12, className }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className={className ? `${css.bar} ${className}` : css.bar}
      style={{ width, height }}
    />
  )
}
