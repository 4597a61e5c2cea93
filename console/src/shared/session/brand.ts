import { type AnswerOf, brands } from '@busbar/contract'
import { call } from '../api/client.ts'
import { createStore, useStore } from '../api/store.ts'

export type Brand = AnswerOf<typeof brands.getBrand>

/** The console's own name and logo, if the page does not name its host's brand. */
const ownBrand: Brand = {
  id: 1,
  platformName: { cn: '母线工业云', en: 'Busbar' },
  logoUrl: '',
  logoDarkUrl: '',
  loginImageUrl: '',
  faviconUrl: '',
  theme: { accent: '' },
  versions: { app: '', lowest: '', tv: '' },
  downloads: [],
}

/** The platform writes the brand into the page, so that its name and colour are part of the first paint. */
function readBrand(): Brand | undefined {
  const written = document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content
  return written ? (JSON.parse(written) as Brand) : undefined
}

const written = readBrand()
const brand = createStore(written ?? ownBrand)

export function useBrand(): Brand {
  return useStore(brand)
}

/** Loads the brand of this host if the page was not served by the platform and so does not contain it. */
export async function loadBrand(): Promise<void> {
  if (written) return
  try {
    const answer = await call(brands.getBrand, {}, { silent: true })
    brand.set(answer)
    apply(answer)
  } catch {
    // The console's own name and logo are a valid fallback.
  }
}

function apply({ theme, faviconUrl }: Brand): void {
  const root = document.documentElement
  if (/^#[0-9a-f]{6}$/i.test(theme.accent)) {
    root.dataset.brand = ''
    root.style.setProperty('--brand', theme.accent)
  } else {
    delete root.dataset.brand
    root.style.removeProperty('--brand')
  }
  if (faviconUrl) document.querySelector('link[rel="icon"]')?.setAttribute('href', faviconUrl)
}
