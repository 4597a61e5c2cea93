import { useText } from '../../i18n/index.ts'
import { classes } from '../classes.ts'
import type { DisplayState } from './display-state.ts'
import css from './state-glyph.module.css'
import { shapePaths } from './state-shapes.ts'

interface GlyphProps {
  state: DisplayState
  size?: number
  className?: string | undefined
}

const outline = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6 }

/** The shape and colour of a state, as decoration beside its word. */
export function Glyph({ state, size = 10, className }: GlyphProps) {
  const { path, isOutline } = shapePaths[state]
  return (
    <svg
      aria-hidden="true"
      className={classes(css.glyph, css[state], className)}
      width={size}
      height={size}
      viewBox="0 0 10 10"
      fill="currentColor"
    >
      <path d={path} {...(isOutline && outline)} />
    </svg>
  )
}

interface StateGlyphProps extends GlyphProps {
  /** Whether the word is drawn; it is always there for a screen reader and on hover. */
  word?: 'shown' | 'hidden'
  strong?: boolean
}

/** A machine's state as shape, colour and word. */
export function StateGlyph({ state, size, word = 'shown', strong = false, className }: StateGlyphProps) {
  const name = useText().machines.states[state]
  const glyph = <Glyph state={state} {...(size ? { size } : {})} />
  if (word === 'hidden') {
    return (
      <span
        role="img"
        aria-label={name}
        data-tip={name}
        className={classes(css.state, className)}
        data-state={state}
      >
        {glyph}
      </span>
    )
  }
  return (
    <span className={classes(css.state, css[state], className)} data-state={state}>
      {glyph}
      <span className={classes(css.word, strong && css.strong)}>{name}</span>
    </span>
  )
}
