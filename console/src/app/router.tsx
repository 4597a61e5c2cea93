import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { signInPath, toAddress } from './address.ts'
import { BrokenPage } from './broken-page.tsx'
import { features } from './features.ts'
import { getLayoutKind } from './layout-kind.ts'
import { fromMobileUrl, isMobileMode, toMobileUrl } from './mobile-door.ts'
import { RootLayout } from './root-layout.tsx'
import { formatSearch, listSearch, loginSearch, parseSearch, rootSearch } from './search.ts'
import { hasSession } from './session.ts'
import { loadShell } from './shells.ts'

const homePath = features.devices.path

const rootRoute = createRootRoute({
  validateSearch: rootSearch,
  search: { middlewares: [retainSearchParams(['lang', 'client'])] },
  component: RootLayout,
  errorComponent: BrokenPage,
})

/** Signed in already: on to where one wanted to go. */
const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: loginSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ href: search.to ?? homePath, replace: true })
  },
})

/** The screens before a session are a world of their own, loaded afresh: nothing of the last person stays in memory. */
function leaveInside(back: string): Promise<never> {
  location.replace(toAddress(signInPath('/login', back)))
  return new Promise(() => {})
}

/** Everything behind a session. Without one: to the sign-in, and back to where one wanted to go. */
const mainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'main',
  beforeLoad: async ({ location: wanted }) => {
    if (!hasSession()) await leaveInside(wanted.href)
    await loadShell(getLayoutKind())
  },
  component: lazyRouteComponent(() => import('./main-layout.tsx'), 'MainLayout'),
})

const devicesRoute = createRoute({
  getParentRoute: () => mainRoute,
  // Its address is written with a slash at the end (the seed); a route's path has none.
  path: '/index',
  validateSearch: listSearch,
  component: features.devices.page,
})

const safetyRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/safety',
  component: features.safety.page,
})

const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/login', replace: true })
  },
})

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/login', replace: true })
  },
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    startRoute,
    loginRoute,
    mainRoute.addChildren([devicesRoute, safetyRoute]),
    unknownRoute,
  ]),
  trailingSlash: 'preserve',
  parseSearch,
  stringifySearch: formatSearch,
  defaultPreload: 'intent',
  defaultErrorComponent: BrokenPage,
  ...(isMobileMode
    ? { rewrite: { input: ({ url }) => fromMobileUrl(url), output: ({ url }) => toMobileUrl(url) } }
    : {}),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
