import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { machineListQuery } from '../entities/machine/machine-queries.ts'
import { withMessageTab } from '../features/messages/message-tab.ts'
import { queryClient } from '../shared/api/query-client.ts'
import { getLang } from '../shared/i18n/language.ts'
import { keepParameters, signInPath, toAddress } from '../shared/session/address.ts'
import { followAddress } from '../shared/session/current-address.ts'
import { homeAddress } from '../shared/session/home-address.ts'
import { fromMobileUrl, isMobileMode, toMobileUrl } from '../shared/session/mobile-door.ts'
import { parseOwnPath } from '../shared/session/own-path.ts'
import {
  administrationSearch,
  backOfficeSearch,
  deviceCodeSearch,
  deviceSearch,
  formatSearch,
  listSearch,
  loginSearch,
  manageSearch,
  messageSearch,
  parseId,
  parseSearch,
  rootSearch,
  visitReportSearch,
  visitSearch,
} from '../shared/session/search.ts'
import { hasSession } from '../shared/session/session.ts'
import { BrokenPage } from '../shared/ui/broken-page.tsx'
import { getLayoutKind } from '../shared/ui/layout-kind.ts'
import { lazyPart } from '../shared/ui/lazy-part.tsx'
import { barePages, pages, panelPages, spacePages } from './pages.ts'
import { RootLayout } from './root-layout.tsx'
import { loadShell } from './shell/shells.ts'

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
    throw redirect({ href: keepParameters(search.to ?? homeAddress()), replace: true })
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
  id: 'shell',
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
  component: lazyPart(() => pages['/index/']().then((module) => module.MachineListPage)),
})

const messagesRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/msgCenter',
  validateSearch: messageSearch,
  beforeLoad: ({ search }) => {
    // The address always contains the open tab.
    if (!search.tab) throw redirect({ to: '/msgCenter', search: withMessageTab(search), replace: true })
  },
  component: lazyPart(() => pages['/msgCenter']().then((module) => module.MessagesPage)),
})

const safetyRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/safety',
  component: lazyPart(() => pages['/safety']().then((module) => module.SafetyPage)),
})

const friendsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/friends',
  component: lazyPart(() => panelPages['/friends']().then((module) => module.FriendsPage)),
})

const changePasswordRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/recoverPwd',
  component: lazyPart(() => panelPages['/recoverPwd']().then((module) => module.ChangePasswordPage)),
})

const enterpriseDevicesRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/device',
  validateSearch: deviceSearch,
  component: lazyPart(() => spacePages['/device/']().then((module) => module.DevicePage)),
})

const enterpriseRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/enterprise',
  validateSearch: manageSearch,
  component: lazyPart(() => spacePages['/enterprise/']().then((module) => module.ManagePage)),
})

const maintenanceRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/maintenance',
  component: lazyPart(() => spacePages['/maintenance']().then((module) => module.MaintenancePage)),
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
    location.replace(parseOwnPath(wanted.href) ?? '/')
    return new Promise(() => {})
  },
})

const administrationRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/administrateCenter',
  validateSearch: administrationSearch,
  component: lazyPart(() => barePages['/administrateCenter']().then((module) => module.AdministrationPage)),
})

const backOfficeRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/backManage',
  validateSearch: backOfficeSearch,
  component: lazyPart(() => barePages['/backManage']().then((module) => module.BackOfficePage)),
})

const userInfoRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/userInfo',
  component: lazyPart(() => barePages['/userInfo']().then((module) => module.UserInfoPage)),
})

const modifyPhoneRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/modifyPhone',
  component: lazyPart(() => barePages['/modifyPhone']().then((module) => module.ModifyPhonePage)),
})

const modifyEmailRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/modifyEmail',
  component: lazyPart(() => barePages['/modifyEmail']().then((module) => module.ModifyEmailPage)),
})

const qrRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/qr/$token',
  component: lazyPart(() => barePages['/qr/']().then((module) => module.QrConfirmPage)),
})

const deviceCodeRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/deviceCode',
  validateSearch: deviceCodeSearch,
  component: lazyPart(() => barePages['/deviceCode']().then((module) => module.DeviceCodePage)),
})

const visitReportRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/visitReport',
  validateSearch: visitReportSearch,
  component: lazyPart(() => barePages['/visitReport']().then((module) => module.VisitReportPage)),
})

/** The brand's landing page belongs to those without a session; the others go on. */
const landingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/main',
  beforeLoad: () => {
    throw redirect({ href: keepParameters(homeAddress()), replace: true })
  },
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
    landingRoute,
    authorizeRoute,
    mainRoute.addChildren([
      devicesRoute,
      enterpriseDevicesRoute,
      enterpriseRoute,
      maintenanceRoute,
      messagesRoute,
      safetyRoute,
      friendsRoute,
      changePasswordRoute,
    ]),
    bareRoute.addChildren([
      administrationRoute,
      backOfficeRoute,
      visitRoute,
      userInfoRoute,
      modifyPhoneRoute,
      modifyEmailRoute,
      qrRoute,
      deviceCodeRoute,
      visitReportRoute,
    ]),
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

followAddress(() => router.state.location.href)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
