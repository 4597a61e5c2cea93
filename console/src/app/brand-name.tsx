import { useLang } from '../i18n/language.ts'
import { useBrand } from './brand.ts'
import { BrandMark } from './brand-mark.tsx'

/** The brand's mark and name, side by side in whatever holds them. */
export function BrandName({ markSize }: { markSize?: number }) {
  const name = useBrand().platformName[useLang()]
  return (
    <>
      <BrandMark {...(markSize ? { size: markSize } : {})} />
      <span className="cut" title={name}>
        {name}
      </span>
    </>
  )
}
