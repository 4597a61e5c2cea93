import type { AnswerOf, brands as contract, Lang } from '@busbar/contract'
import type { Brand } from '../../kernel/http/brand.ts'

/** The console's own picture, for a brand without one. */
const ownFaviconUrl = '/favicon.svg'

/** The public fields of a brand. */
export function presentBrand(brand: Brand): AnswerOf<typeof contract.getBrand> {
  return {
    id: brand.id,
    platformName: brand.platformName,
    logoUrl: brand.logoUrl,
    logoDarkUrl: brand.logoDarkUrl || brand.logoUrl,
    loginImageUrl: brand.loginImageUrl,
    faviconUrl: brand.faviconUrl || ownFaviconUrl,
    theme: { accent: brand.accent },
    versions: {
      app: brand.versions.pc.latest,
      lowest: brand.versions.pc.lowest,
      tv: brand.versions.tv.latest,
    },
    downloads: brand.downloads,
    ...(brand.icp ? { icp: brand.icp } : {}),
  }
}

/** The name and pictures that an enterprise has given itself. */
export interface EnterpriseFace {
  readonly name: string
  readonly platform_name: string
  readonly logo_url: string
}

/** The face for members of an enterprise, with the brand's for everything that is not set. */
export function presentFace(
  face: EnterpriseFace,
  brand: Brand,
  lang: Lang,
): AnswerOf<typeof contract.getCustomInfo> {
  return {
    platformName: face.platform_name || brand.platformName[lang],
    applyLogoUrl: face.logo_url || brand.logoUrl,
    name: face.name,
  }
}

/**
 * The face for strangers. An enterprise that has set none, and one that does not exist, answer alike: the brand's
 *.
 */
export function presentLogo(
  face: EnterpriseFace | undefined,
  brand: Brand,
  lang: Lang,
): AnswerOf<typeof contract.getLogo> {
  if (face && (face.platform_name || face.logo_url)) return presentFace(face, brand, lang)
  const name = brand.platformName[lang]
  return { platformName: name, applyLogoUrl: brand.logoUrl, name }
}
