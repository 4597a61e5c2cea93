import { type AnswerOf, brands } from '@busbar/contract'
import { call } from '../api/client.ts'
import { createStore, useStore } from '../api/store.ts'

export type Brand = AnswerOf<typeof brands.getBrand>

/** The console's own face, until the platform has said which brand this host has. */
const ownBrand: Brand = {
  id: '',
  platformName: { cn: '母线工业云', en: 'Busbar' },
  logoUrl: '',
  loginImageUrl: '',
  faviconUrl: '',
  theme: { accent: '' },
  versions: { app: '', lowest: '', tv: '' },
  downloads: [],
}

/** The last answer, so that a brand's name and colour are there at the first paint. */
const cacheKey = 'busbar.brand'

function remembered(): Brand {
  try {
    const cached = JSON.parse(localStorage.getItem(cacheKey) ?? 'null') as Partial<Brand> | null
    return cached?.platformName && cached.theme ? { ...ownBrand, ...cached } : ownBrand
  } catch {
    return ownBrand
  }
}

const brand = createStore(remembered())
apply(brand.get())

export function useBrand(): Brand {
  return useStore(brand)
}

/** Asks for the brand of this host. Without an answer the console keeps the face it has. */
export async function loadBrand(): Promise<void> {
  try {
    const answer = await call(brands.getBrand, {}, { silent: true })
    brand.set(answer)
    apply(answer)
    localStorage.setItem(cacheKey, JSON.stringify(answer))
  } catch {
    // The own face is a good one.
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
