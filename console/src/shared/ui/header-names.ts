import type { SpaceFace } from '../session/space-face.ts'

/** The names that the header shows beside the mark; an empty one is left out. */
export interface HeaderNames {
  readonly platform: string
  readonly enterprise: string
}

/**
 * In an enterprise: the platform's name and the enterprise's, or only the latter if space is short.
 * Otherwise: the name of the brand.
 */
export function headerNames(brand: string, face: SpaceFace, isShort: boolean): HeaderNames {
  const { name, enterprise } = face
  if (!enterprise) return { platform: name || brand, enterprise: '' }
  return { platform: isShort || name === enterprise ? '' : name, enterprise }
}
