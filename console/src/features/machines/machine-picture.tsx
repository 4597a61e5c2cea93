import { classes } from '../../ui/classes.ts'
import type { MachineLook } from './machine-icon.tsx'
import css from './machine-picture.module.css'

interface MachinePictureProps {
  /** How its type looks; one that is not known yet only takes its room. */
  look: MachineLook | undefined
  /** A picture of this very machine, which is shown instead; empty: none. */
  photo?: string
  size: 'card' | 'pane' | 'page'
}

/** A machine as it looks, or its type. Says nothing that no word says. */
export function MachinePicture({ look, photo, size }: MachinePictureProps) {
  const image = photo || (look?.icon === '' ? look.image : '')
  return (
    <span className={classes(css.picture, css[size])} aria-hidden="true">
      {image ? (
        <img src={image} alt="" loading="lazy" />
      ) : (
        // A used file takes the colour of where it stands; as an image it could not follow the theme.
        look && (
          <svg viewBox="0 0 64 48" focusable="false" role="presentation">
            <use href={`${look.image}#picture`} />
          </svg>
        )
      )}
    </span>
  )
}
