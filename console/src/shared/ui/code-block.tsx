import { classes } from './classes.ts'
import css from './code-block.module.css'

interface CodeBlockProps {
  text: string
  /** Long lines are broken, as of a message; code is scrolled. */
  breaks?: boolean
  /** It is part of a frame that has its own background. */
  isFramed?: boolean
}

/** Code, or a message as it went over the line. */
export function CodeBlock({ text, breaks = false, isFramed = false }: CodeBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled with the keyboard too
    <pre className={classes(css.code, 'mono', breaks && css.breaks, !isFramed && css.own)} tabIndex={0}>
      {text}
    </pre>
  )
}
