import { classes } from '../../shared/ui/classes.ts'
import type { MachineLook } from './machine-icon.tsx'
import css from './machine-picture.module.css'

interface MachinePictureProps {
  /** The look of its type; undefined leaves an empty space of the same size. */
  look: MachineLook | undefined
  /** A picture of this very machine, which replaces the type's; empty if there is none. */
  photo?: string
  size: 'card' | 'pane' | 'page'
}

/** The picture of a machine, or of its type. It is decorative: screen readers skip it. */
export function MachinePicture({ look, photo, size }: MachinePictureProps) {
  const image = photo || (look?.icon === '' ? look.image : '')
  return (
    <span className={classes(css.picture, css[size])} aria-hidden="true">
      {image ? (
        <img src={image} alt="" loading="lazy" />
      ) : (
        // `use` lets the drawing take the colour of the text; an image could not follow the theme.
        look && (
          <svg viewBox="0 0 64 48" focusable="false" role="presentation">
            <use href={`${look.image}#picture`} />
          </svg>
        )
      )}
    </span>
  )
}
