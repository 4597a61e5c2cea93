import { useStore } from '../api/store.ts'
import { useBrand } from '../session/brand.ts'
import { spaceFace } from '../session/space-face.ts'
import { useTheme } from '../session/theme.ts'
import css from './brand-mark.module.css'
import { classes } from './classes.ts'

/**
 * The enterprise's logo if the current one has a logo, else the brand's, or the console's own: two busbars,
 * their bridges, and what travels between.
 */
export function BrandMark({ size = 24 }: { size?: number }) {
  const { logoUrl, logoDarkUrl } = useBrand()
  const own = useTheme() === 'dark' ? logoDarkUrl || logoUrl : logoUrl
  const shown = useStore(spaceFace).logoUrl || own
  if (shown) return <img className={classes(css.mark, css.image)} src={shown} height={size} alt="" />
  return (
    <svg className={css.mark} width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path d="M7 10.5h18M7 21.5h18" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
      <path d="M11.5 10.5v11M20.5 10.5v11" stroke="currentColor" strokeWidth="2.6" strokeOpacity=".55" />
      <circle cx="16" cy="16" r="2.8" fill="currentColor" />
    </svg>
  )
}
