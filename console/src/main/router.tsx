import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import {
  appearanceScreen,
  deviceCodeScreen,
  modifyEmailScreen,
  modifyPhoneScreen,
  qrScreen,
  safetyScreen,
  securityScreen,
  userInfoScreen,
} from '../features/account/route.ts'
import { driversScreen } from '../features/agent-config/route.ts'
import { alarmRulesScreen } from '../features/alarm-rules/route.ts'
import { alarmQualityScreen, alarmsScreen } from '../features/alarms/route.ts'
import { backOfficeScreen } from '../features/back-office/route.ts'
import { boardsScreen } from '../features/boards/route.ts'
import { connectScreen } from '../features/connect/route.ts'
import { cloudMapScreen, devicesScreen, enterpriseDevicesScreen } from '../features/devices/route.ts'
import { enterpriseScreen, maintenanceScreen } from '../features/enterprise/route.ts'
import { explorerScreen } from '../features/explorer/route.ts'
import { exportsScreen } from '../features/exports/route.ts'
import { friendsScreen } from '../features/friends/route.ts'
import { administrationScreen } from '../features/keys/route.ts'
import { messagesScreen } from '../features/messages/route.ts'
import { notificationsScreen } from '../features/notifications/route.ts'
import { projectScreen, projectsScreen } from '../features/projects/route.ts'
import { changePasswordScreen } from '../features/recovery/route.ts'
import { reportsScreen } from '../features/reports/route.ts'
import { retentionScreen } from '../features/retention/route.ts'
import { simsScreen } from '../features/sims/route.ts'
import { sitesScreen } from '../features/sites/route.ts'
import { authorizeScreen, visitReportScreen, visitScreen } from '../features/visits/route.ts'
import { getText } from '../shared/i18n/language.ts'
import { keepParameters } from '../shared/session/address.ts'
import { followAddress } from '../shared/session/current-address.ts'
import { homeAddress } from '../shared/session/home-address.ts'
import { fromMobileUrl, isMobileMode, toMobileUrl } from '../shared/session/mobile-url.ts'
import { formatSearch, parametersOfAllScreens, parseSearch } from '../shared/session/search.ts'
import { BrokenPage } from '../shared/ui/broken-page.tsx'
import { showToast } from '../shared/ui/toast/toast-store.ts'
import { BareLayout } from './bare-layout.tsx'
import { MainLayout } from './main-layout.tsx'
import { PageWait } from './page-wait.tsx'
import { requireSession } from './require-session.ts'
import { RootLayout } from './root-layout.tsx'
import { loginSearch, rootSearch } from './search.ts'

const rootRoute = createRootRoute({
  validateSearch: rootSearch,
  search: { middlewares: [retainSearchParams([...parametersOfAllScreens])] },
  component: RootLayout,
  errorComponent: BrokenPage,
})

/** A signed-in person goes on to the wanted page. */
const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: loginSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ href: keepParameters(search.to ?? homeAddress()), replace: true })
  },
})

/** Everything behind a session. Without one: to the sign-in, and back to the wanted page. */
const mainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: requireSession,
  component: MainLayout,
})

const devicesRoute = createRoute({ getParentRoute: () => mainRoute, ...devicesScreen })
const enterpriseDevicesRoute = createRoute({ getParentRoute: () => mainRoute, ...enterpriseDevicesScreen })
const cloudMapRoute = createRoute({ getParentRoute: () => mainRoute, ...cloudMapScreen })
const connectRoute = createRoute({ getParentRoute: () => mainRoute, ...connectScreen })
const enterpriseRoute = createRoute({ getParentRoute: () => mainRoute, ...enterpriseScreen })
const maintenanceRoute = createRoute({ getParentRoute: () => mainRoute, ...maintenanceScreen })
const messagesRoute = createRoute({ getParentRoute: () => mainRoute, ...messagesScreen })
const alarmsRoute = createRoute({ getParentRoute: () => mainRoute, ...alarmsScreen })
const alarmRulesRoute = createRoute({ getParentRoute: () => mainRoute, ...alarmRulesScreen })
const alarmQualityRoute = createRoute({ getParentRoute: () => mainRoute, ...alarmQualityScreen })
const boardsRoute = createRoute({ getParentRoute: () => mainRoute, ...boardsScreen })
const explorerRoute = createRoute({ getParentRoute: () => mainRoute, ...explorerScreen })
const exportsRoute = createRoute({ getParentRoute: () => mainRoute, ...exportsScreen })
const notificationsRoute = createRoute({ getParentRoute: () => mainRoute, ...notificationsScreen })
const reportsRoute = createRoute({ getParentRoute: () => mainRoute, ...reportsScreen })
const simsRoute = createRoute({ getParentRoute: () => mainRoute, ...simsScreen })
const sitesRoute = createRoute({ getParentRoute: () => mainRoute, ...sitesScreen })
const projectsRoute = createRoute({ getParentRoute: () => mainRoute, ...projectsScreen })
const projectRoute = createRoute({ getParentRoute: () => mainRoute, ...projectScreen })
const retentionRoute = createRoute({ getParentRoute: () => mainRoute, ...retentionScreen })
const userInfoRoute = createRoute({ getParentRoute: () => mainRoute, ...userInfoScreen })
const modifyPhoneRoute = createRoute({ getParentRoute: () => mainRoute, ...modifyPhoneScreen })
const modifyEmailRoute = createRoute({ getParentRoute: () => mainRoute, ...modifyEmailScreen })
const safetyRoute = createRoute({ getParentRoute: () => mainRoute, ...safetyScreen })
const securityRoute = createRoute({ getParentRoute: () => mainRoute, ...securityScreen })
const appearanceRoute = createRoute({ getParentRoute: () => mainRoute, ...appearanceScreen })
const friendsRoute = createRoute({ getParentRoute: () => mainRoute, ...friendsScreen })
const changePasswordRoute = createRoute({ getParentRoute: () => mainRoute, ...changePasswordScreen })

/** Behind a session as well, but without header and menu. */
const bareRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'bare',
  beforeLoad: requireSession,
  component: BareLayout,
})

const administrationRoute = createRoute({ getParentRoute: () => bareRoute, ...administrationScreen })
const driversRoute = createRoute({ getParentRoute: () => bareRoute, ...driversScreen })
const backOfficeRoute = createRoute({ getParentRoute: () => bareRoute, ...backOfficeScreen })
const visitRoute = createRoute({ getParentRoute: () => bareRoute, ...visitScreen })
const visitReportRoute = createRoute({ getParentRoute: () => bareRoute, ...visitReportScreen })
const qrRoute = createRoute({ getParentRoute: () => bareRoute, ...qrScreen })
const deviceCodeRoute = createRoute({ getParentRoute: () => bareRoute, ...deviceCodeScreen })

const authorizeRoute = createRoute({ getParentRoute: () => rootRoute, ...authorizeScreen })

/** The brand's landing page belongs to those without a session; signed-in people are redirected. */
const landingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/main',
  beforeLoad: () => {
    throw redirect({ href: keepParameters(homeAddress()), replace: true })
  },
})

/** An unknown address, such as an old bookmark: leads home with a notice. */
const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    showToast(getText().notices.noPage, 'info')
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

const inShell = [
  devicesRoute,
  enterpriseDevicesRoute,
  cloudMapRoute,
  connectRoute,
  enterpriseRoute,
  maintenanceRoute,
  messagesRoute,
  alarmsRoute,
  alarmRulesRoute,
  alarmQualityRoute,
  boardsRoute,
  explorerRoute,
  exportsRoute,
  notificationsRoute,
  reportsRoute,
  retentionRoute,
  projectsRoute,
  simsRoute,
  sitesRoute,
  projectRoute,
  userInfoRoute,
  modifyPhoneRoute,
  modifyEmailRoute,
  safetyRoute,
  securityRoute,
  appearanceRoute,
  friendsRoute,
  changePasswordRoute,
] as const

const outOfShell = [
  administrationRoute,
  driversRoute,
  backOfficeRoute,
  visitRoute,
  qrRoute,
  deviceCodeRoute,
  visitReportRoute,
] as const

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    startRoute,
    loginRoute,
    landingRoute,
    authorizeRoute,
    mainRoute.addChildren(inShell),
    bareRoute.addChildren(outOfShell),
    unknownRoute,
  ]),
  trailingSlash: 'preserve',
  parseSearch,
  stringifySearch: formatSearch,
  defaultPreload: 'intent',
  defaultErrorComponent: BrokenPage,
  // Until then the page before stays: most files come sooner, and a skeleton would only flicker.
  defaultPendingComponent: PageWait,
  defaultPendingMs: 400,
  defaultPendingMinMs: 0,
  ...(isMobileMode
    ? { rewrite: { input: ({ url }) => fromMobileUrl(url), output: ({ url }) => toMobileUrl(url) } }
    : {}),
})

/** Begins loading what an address needs, all at once, while the router is still on its way. */
export function preloadScreen(pathname: string): void {
  const isHere = ({ fullPath }: { fullPath: string }) => {
    const [begin = '', parameter] = fullPath.split('$')
    return parameter ? pathname.startsWith(begin) : begin === pathname.replace(/\/$/, '')
  }
  const { component } = ([...outOfShell, ...inShell].find(isHere) ?? devicesRoute).options
  void component?.preload?.()
}

followAddress(() => router.state.location.href)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
