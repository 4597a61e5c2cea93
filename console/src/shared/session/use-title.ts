import { timing } from '@busbar/contract'
import { useEffect } from 'react'
import { useStore } from '../api/store.ts'
import { useLang } from '../i18n/language.ts'
import { useBrand } from './brand.ts'
import { spaceFace } from './space-face.ts'

/** The brand's name becomes the title one second after a change of route (rules/console.md: titles). */
export function useTitle(path: string): void {
  const lang = useLang()
  const { platformName } = useBrand()
  const title = useStore(spaceFace).name || platformName[lang]
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path runs the second effect again
  useEffect(() => {
    const timer = setTimeout(() => {
      document.title = title
    }, timing.titleDelayMs)
    return () => clearTimeout(timer)
  }, [path, title])
}
