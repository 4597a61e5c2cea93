import { classes } from '../../ui/classes.ts'
import css from './machine-picture.module.css'

/** Drawings of 64 × 48 in one colour, each a file that is loaded where it is first shown. */
const files = import.meta.glob<string>('./pictures/*.svg', { eager: true, query: '?url', import: 'default' })
const general = 'machine'

function fileOf(type: string): string {
  return files[`./pictures/${type}.svg`] ?? files[`./pictures/${general}.svg`] ?? ''
}

/**
 * A machine as its type looks; a type nobody has drawn is a machine like any other, and
 * one that is not known yet only takes its room. Says nothing that no word says.
 */
export function MachinePicture({ type, size }: { type: string | undefined; size: 'card' | 'pane' | 'page' }) {
  return (
    <span className={classes(css.picture, css[size])} aria-hidden="true">
      {/* A used file takes the colour of where it stands; as an image it could not follow the theme. */}
      {type !== undefined && (
        <svg viewBox="0 0 64 48" focusable="false" role="presentation">
          <use href={`${fileOf(type)}#picture`} />
        </svg>
      )}
    </span>
  )
}
