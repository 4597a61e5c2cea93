import '../shared/ui/inside.css'
import '../shared/ui/more-icons.ts'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { watchEnterLinks } from '../entities/visit/enter-request.ts'
import { getLang, loadLanguage } from '../shared/i18n/language.ts'
import { setZone } from '../shared/i18n/zone.ts'
import { readAddress } from '../shared/session/address.ts'
import { getPreferences } from '../shared/session/preferences.ts'
import { showRoot } from '../shared/ui/screen.ts'
import { preloadScreen, router } from './router.tsx'

/** Everything behind a session. Drawn when the first page has loaded, so that the screen does not flash. */
export async function startInside(): Promise<void> {
  setZone(getPreferences().account?.timeZone)
  watchEnterLinks(document)
  preloadScreen(readAddress().pathname)
  // After the sign-in only the texts before a session are there.
  await Promise.all([loadLanguage(getLang(), 'inside'), router.load()])
  // In slices: drawn in one piece, the list and the shell would freeze a phone.
  startTransition(() =>
    showRoot(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  )
}
