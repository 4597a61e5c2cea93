import { brands as contract } from '@busbar/contract'
import { type Binding, bind } from '../../http/bind.ts'
import { machineIcons } from './machine-icons.ts'

/** The main brand: any host gets it until a deployment sets up others. Versions are those of decision 58. */
export const mainBrand = {
  id: 'main',
  platformName: { cn: '母线工业云', en: 'Busbar' },
  logoUrl: '',
  loginImageUrl: '',
  faviconUrl: '/favicon.svg',
  theme: { accent: '' },
  versions: { app: '1.5.0', lowest: '1.1.0', tv: '1.3.0' },
  downloads: [],
}

/** What a page is called and looks like, and the pictures of machine types. */
export function brandsRoutes(): Binding[] {
  return [bind(contract.getBrand, () => mainBrand), bind(contract.listIcons, () => machineIcons)]
}
