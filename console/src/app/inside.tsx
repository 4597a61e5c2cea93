import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { router } from './router.tsx'
import { showWorld } from './screen.ts'

/** Everything behind a session. Drawn once the first page is there, so that nothing flashes. */
export async function startInside(): Promise<void> {
  await router.load()
  showWorld(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}
