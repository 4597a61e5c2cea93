import { redirect } from '@tanstack/react-router'
import { isDemo } from '../../shared/session/demo.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'

/** Shows every part of the kit; only if the platform runs its demo. */
export const kitScreen = {
  path: '/kit',
  beforeLoad: () => {
    if (!isDemo) throw redirect({ to: '/login', replace: true })
  },
  component: lazyPart(() => import('./kit-page.tsx').then((module) => module.KitPage)),
} as const
