import { machineListQuery } from '../../entities/machine/machine-queries.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { getLang } from '../../shared/i18n/language.ts'
import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import type { MenuEntry } from '../../shared/ui/menu-entry.ts'
import { deviceSearch, listSearch } from './search.ts'

/** The personal devices. */
export const devicesScreen = {
  // Its address is written with a slash at the end (the seed); a route's path goes without it.
  path: '/index',
  validateSearch: onlyKnown(listSearch),
  // Loaded while the page itself is still loading.
  beforeLoad: (): void => void queryClient.prefetchQuery(machineListQuery(getLang())),
  component: lazyPart(() =>
    import('./personal-devices-page.tsx').then((module) => module.PersonalDevicesPage),
  ),
} as const

export const devicesEntry: MenuEntry<'/index/'> = {
  path: '/index/',
  section: 'devices',
  icon: 'devices',
  label: (t) => t.app.menu.entries.devices,
  shortLabel: (t) => t.app.menu.entries.devicesShort,
}

/** Opens the list of the space that was used last as a map. */
export const cloudMapScreen = {
  path: '/cloudmap',
  component: lazyPart(() => import('./cloud-map-page.tsx').then((module) => module.CloudMapPage)),
} as const

export const cloudMapEntry: MenuEntry<'/cloudmap'> = {
  path: '/cloudmap',
  section: 'work',
  icon: 'map',
  label: (t) => t.app.menu.entries.map,
  shortLabel: (t) => t.app.menu.entries.map,
  isOfPlaces: true,
}

/** The devices of an enterprise, and those that it maintains. */
export const enterpriseDevicesScreen = {
  path: '/device',
  validateSearch: onlyKnown(deviceSearch),
  component: lazyPart(() =>
    import('./enterprise-devices-page.tsx').then((module) => module.EnterpriseDevicesPage),
  ),
} as const
