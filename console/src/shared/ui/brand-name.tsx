import { useStore } from '../api/store.ts'
import { useLang } from '../i18n/language.ts'
import { useBrand } from '../session/brand.ts'
import { spaceFace } from '../session/space-face.ts'
import { BrandMark } from './brand-mark.tsx'
import css from './brand-name.module.css'
import { classes } from './classes.ts'
import { headerNames } from './header-names.ts'

interface BrandNameProps {
  markSize?: number
  /** Room for one name. */
  isShort?: boolean
}

/** The mark and the name of the current space, side by side. */
export function BrandName({ markSize, isShort = false }: BrandNameProps) {
  const brand = useBrand().platformName[useLang()]
  const { platform, enterprise } = headerNames(brand, useStore(spaceFace), isShort)
  return (
    <>
      <BrandMark {...(markSize ? { size: markSize } : {})} />
      {platform && (
        <span className={classes('cut', css.platform)} title={platform}>
          {platform}
        </span>
      )}
      {enterprise && (
        <span className={classes('cut', css.enterprise)} title={enterprise}>
          {enterprise}
        </span>
      )}
    </>
  )
}
