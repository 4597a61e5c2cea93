import { errors, type operator, type Text, tileLimits } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { describeRefusal, OutgoingError, parseTypedAddress } from '../../kernel/outgoing-http/index.ts'
import { addressOf, findWrongWords, takesKey } from './tile-address.ts'
import { ArchiveUnfit, type TileArchives } from './tile-archives.ts'
import { openKey, sealKey } from './tile-key.ts'
import * as store from './tiles-store.ts'

interface Deps extends Pick<Kernel, 'secrets' | 'outgoingCalls'> {
  readonly archives: Pick<TileArchives, 'check'>
}

/** Settings that were checked: what is stored, and the key that was sent. */
export interface CheckedSource {
  readonly body: store.TileSourceBody
  readonly key: string | undefined
}

/**
 * Checks the settings of a source before its transaction: names are looked up now, and each connection is checked again.
 * @throws Failure 400, TILE_ADDRESS, TILE_FILE
 */
export async function checkSource(
  { outgoingCalls, archives }: Deps,
  { key, ...body }: operator.TileSourceFields,
): Promise<CheckedSource> {
  if (body.maxZoom < body.minZoom) throw new Failure('400', { field: 'maxZoom' })
  if (body.kind === 'pmtiles') return { body: await checkFile(archives, body), key: '' }
  const wrong = findWrongWords(body.url, body.kind)
  if (wrong.length > 0) throw new Failure('TILE_ADDRESS', { field: 'url', text: wordsText(wrong) })
  try {
    const place = { z: body.minZoom, x: 0, y: 0 }
    await outgoingCalls.check(addressOf(body.url, place, key ?? 'key'), 'operator')
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    throw new Failure('TILE_ADDRESS', {
      field: 'url',
      text: describeRefusal(error, 'TILE_ADDRESS', 'https'),
    })
  }
  return { body, key }
}

/**
 * Adds a source to a brand; answers its id. Within the caller's transaction.
 * @throws Failure 400, 404 for an unknown brand, TILE_SOURCES_FULL
 */
export async function createSource(
  { secrets }: Pick<Deps, 'secrets'>,
  trx: Database,
  { body, key = '' }: CheckedSource,
): Promise<number> {
  requireKeyWord(body.url, key)
  await requireSpace(trx, body.brandId)
  const id = await store.insertSource(trx, body)
  await store.setKey(trx, id, sealKey(secrets, id, key))
  return id
}

/**
 * Changes all of a source. A key that is kept goes only to the place that it was entered for. Otherwise as
 * `createSource`.
 * @throws Failure also 404 for an unknown source
 */
export async function updateSource(
  { secrets }: Pick<Deps, 'secrets'>,
  trx: Database,
  id: number,
  { body, key: sent }: CheckedSource,
): Promise<void> {
  const before = await store.findSource(trx, id)
  if (!before) throw new Failure('404')
  const kept = openKey(secrets, before) ?? ''
  if (sent === undefined && kept !== '' && originOf(before) !== originOf(body))
    throw new Failure('400', { field: 'key', text: keyAgain })
  const key = sent ?? kept
  requireKeyWord(body.url, key)
  await requireSpace(trx, body.brandId, id)
  await store.updateSource(trx, id, body)
  await store.setKey(trx, id, sealKey(secrets, id, key))
}

/** @throws Failure 404 */
export async function removeSource(trx: Database, id: number): Promise<store.StoredTileSource> {
  const before = await store.findSource(trx, id)
  if (!before) throw new Failure('404')
  await store.deleteSource(trx, id)
  return before
}

async function requireSpace(trx: Database, brandId: number, id?: number): Promise<void> {
  if (!(await store.lockBrandOfSources(trx, brandId))) throw new Failure('404')
  const others = (await store.listSources(trx, brandId)).filter((source) => source.id !== id)
  if (others.length >= tileLimits.sourcesPerBrand) throw new Failure('TILE_SOURCES_FULL')
}

/** A key that goes nowhere, or a place for one that is empty, is a mistake. */
function requireKeyWord(url: string, key: string): void {
  if (takesKey(url) !== (key !== ''))
    throw new Failure('400', { field: 'key', text: key === '' ? keyMissing : keyUnused })
}

const keyAgain: Text = {
  cn: '地址已更换，请重新填写密钥',
  en: 'The address is another one: enter the key again',
}
const keyMissing: Text = { cn: '地址中有 {key}，请填写密钥', en: 'The address has {key}: enter the key' }
const keyUnused: Text = {
  cn: '地址中没有 {key}，密钥不会被使用',
  en: 'The address has no {key}, so the key has no use',
}

const wordsText = (words: readonly string[]): Text => ({
  cn: `${errors.TILE_ADDRESS.text.cn}：请检查 ${words.map((word) => `{${word}}`).join('、')}`,
  en: `${errors.TILE_ADDRESS.text.en}: check ${words.map((word) => `{${word}}`).join(', ')}`,
})

/** Where a key is sent; a file gets none. */
function originOf({ kind, url }: Pick<store.TileSourceBody, 'kind' | 'url'>): string {
  return kind === 'pmtiles' ? '' : parseTypedAddress(url, { protocols: ['https', 'http'] }).origin
}

async function checkFile(
  archives: Pick<TileArchives, 'check'>,
  body: store.TileSourceBody,
): Promise<store.TileSourceBody> {
  try {
    const { minZoom, maxZoom } = await archives.check(body.url)
    if (body.minZoom < minZoom || body.maxZoom > maxZoom) throw fileFailure(zoomsText(minZoom, maxZoom))
    // The disk has it already.
    return { ...body, isCached: false }
  } catch (error) {
    if (error instanceof ArchiveUnfit) throw fileFailure(fileReasons[error.reason])
    throw error
  }
}

const fileFailure = ({ cn, en }: Text): Failure =>
  new Failure('TILE_FILE', {
    field: 'url',
    text: { cn: `${errors.TILE_FILE.text.cn}：${cn}`, en: `${errors.TILE_FILE.text.en}: ${en}` },
  })

const zoomsText = (min: number, max: number): Text => ({
  cn: `文件中只有 ${min} 至 ${max} 级`,
  en: `it only has zooms ${min} to ${max}`,
})

const fileReasons: Readonly<Record<ArchiveUnfit['reason'], Text>> = {
  missing: { cn: 'TILES_DIR 中没有该文件', en: 'TILES_DIR has no such file' },
  vector: {
    cn: '文件中不是图片瓦片（PNG、JPEG 或 WebP）；矢量瓦片暂不支持',
    en: 'its tiles aren’t pictures (PNG, JPEG or WebP); vector tiles aren’t supported',
  },
  damaged: { cn: '不是完整的 PMTiles 文件', en: 'it isn’t a whole PMTiles file' },
}
