import type { SecretBox } from '../../kernel/secret-box.ts'
import type { StoredTileSource } from './tiles-store.ts'

/** The owner of a sealed key: it opens for this source only. */
const ownerOf = (id: number): string => `tileSource/${id}`

/** Null for no key. */
export const sealKey = (box: SecretBox, id: number, key: string): Buffer | null =>
  key === '' ? null : box.seal(Buffer.from(key), ownerOf(id))

/** Empty where the source has none; undefined where this process has another key of secrets than the one that sealed it. */
export function openKey(
  box: SecretBox,
  { id, keySealed }: Pick<StoredTileSource, 'id' | 'keySealed'>,
): string | undefined {
  return keySealed === null ? '' : box.open(keySealed, ownerOf(id))?.toString()
}
