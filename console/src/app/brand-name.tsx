import { useStore } from '../api/store.ts'
import { useLang } from '../i18n/language.ts'
import { useBrand } from './brand.ts'
import { BrandMark } from './brand-mark.tsx'
import { spaceFace } from './space-face.ts'

/** The brand's mark and name, side by side in whatever holds them. */
export function BrandName({ markSize }: { markSize?: number }) {
  const own = useBrand().platformName[useLang()]
  const name = useStore(spaceFace).name || own
  return (
    <>
      <BrandMark {...(markSize ? { size: markSize } : {})} />
      <span className="cut" title={name}>
        {name}
      </span>
    </>
  )
}
