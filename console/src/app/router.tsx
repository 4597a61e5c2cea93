import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { queryClient } from '../api/query-client.ts'
import { machineListQuery } from '../features/machines/machine-queries.ts'
import { getLang } from '../i18n/language.ts'
import { signInPath, toAddress } from './address.ts'
import { BrokenPage } from './broken-page.tsx'
import { features } from './features.ts'
import { getLayoutKind } from './layout-kind.ts'
import { lazyPart } from './lazy-part.tsx'
import { fromMobileUrl, isMobileMode, toMobileUrl } from './mobile-door.ts'
import { barePages } from './pages.ts'
import { RootLayout } from './root-layout.tsx'
import {
  administrationSearch,
  formatSearch,
  listSearch,
  loginSearch,
  parseId,
  parseSearch,
  rootSearch,
  visitSearch,
} from './search.ts'
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
  component: lazyPart(() => import('./main-layout.tsx').then((module) => module.MainLayout)),
})

const devicesRoute = createRoute({
  getParentRoute: () => mainRoute,
  // Its address is written with a slash at the end (the seed); a route's path has none.
  path: '/index',
  validateSearch: listSearch,
  // Asked for while the page itself is still on its way.
  beforeLoad: () => void queryClient.prefetchQuery(machineListQuery(getLang())),
  component: features.devices.page,
})

const safetyRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/safety',
  component: features.safety.page,
})

/** Behind a session as well, but without header and menu. */
const bareRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'bare',
  beforeLoad: async ({ location: wanted }) => {
    if (!hasSession()) await leaveInside(wanted.href)
  },
  component: lazyPart(() => import('./bare-layout.tsx').then((module) => module.BareLayout)),
})

const visitRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/visit/$machineId',
  params: {
    parse: ({ machineId }) => {
      const id = parseId(machineId)
      return id === undefined ? false : { machineId: id }
    },
    stringify: ({ machineId }) => ({ machineId: String(machineId) }),
  },
  validateSearch: visitSearch,
  component: lazyPart(() => barePages['/visit/']().then((module) => module.VisitPage)),
})

/** The platform's own answer, on the way to a machine; a sign-in comes back to it. */
const authorizeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/visit/authorize',
  beforeLoad: ({ location: wanted }) => {
    location.replace(wanted.href)
    return new Promise(() => {})
  },
})

const administrationRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/administrateCenter',
  validateSearch: administrationSearch,
  component: lazyPart(() => barePages['/administrateCenter']().then((module) => module.AdministrationPage)),
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
    authorizeRoute,
    mainRoute.addChildren([devicesRoute, safetyRoute]),
    bareRoute.addChildren([administrationRoute, visitRoute]),
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
