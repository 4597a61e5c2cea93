import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { watchEnterLinks } from '../features/visits/enter-wish.ts'
import { getLang, loadLanguage } from '../i18n/language.ts'
import { setZone } from '../i18n/zone.ts'
import { readAddress } from './address.ts'
import { preloadScreen } from './pages.ts'
import { getPreferences } from './preferences.ts'
import { router } from './router.tsx'
import { showWorld } from './screen.ts'

/** Everything behind a session. Drawn once the first page is there, so that nothing flashes. */
export async function startInside(): Promise<void> {
  setZone(getPreferences().account?.timeZone)
  watchEnterLinks(document)
  preloadScreen(readAddress().pathname)
  // After the sign-in only the texts before a session are there.
  await Promise.all([loadLanguage(getLang(), 'inside'), router.load()])
  showWorld(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}
