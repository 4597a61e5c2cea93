import { useText } from '../../i18n/index.ts'
import { classes } from '../classes.ts'
import type { DisplayState } from './display-state.ts'
import css from './state-glyph.module.css'

interface GlyphProps {
  state: DisplayState
  size?: number
  className?: string | undefined
}

/** The shape and colour of a state, as decoration beside its word. */
export function Glyph({ state, size = 10, className }: GlyphProps) {
  return (
    <svg
      aria-hidden="true"
      className={classes(css.glyph, css[state], className)}
      width={size}
      height={size}
      viewBox="0 0 10 10"
      fill="currentColor"
    >
      {shapes[state]}
    </svg>
  )
}

const shapes: Record<DisplayState, React.ReactNode> = {
  alarm: <path d="M5 .2 9.8 5 5 9.8.2 5z" />,
  warning: <path d="M5 .7 9.8 9.3H.2z" />,
  online: <circle cx="5" cy="5" r="4" />,
  service: <rect x="1.2" y="1.2" width="7.6" height="7.6" rx="1" />,
  offline: <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.6" />,
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
