import { createHash } from 'node:crypto'
import { type FileAnswer, productVersion, type TileFault, tileLimits } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import type { Logger } from '../../kernel/logger.ts'
import { type OutgoingCalls, OutgoingError } from '../../kernel/outgoing-http/index.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { pictureTypes, readRaster } from '../uploads/index.ts'
import type { FetchGate } from './fetch-gate.ts'
import { greyTile } from './grey-tile.ts'
import { addressOf, type TilePlace } from './tile-address.ts'
import { ArchiveUnfit, type TileArchives } from './tile-archives.ts'
import type { TileCache } from './tile-cache.ts'
import { openKey } from './tile-key.ts'
import { type StoredTileSource, setFailure } from './tiles-store.ts'

const fetchMs = 5_000
const redirectsMax = 2
/** Of each side; a small file can unfold to a picture of gigabytes. */
const pixelsMax = 1_024
/** After so many failures in a row a source is left alone. */
const failuresMax = 5
const restMs = 30_000
/** A failure is written at most so often for each source. */
const noteEveryMs = 10_000

const keptFreshS = 86_400
/** A file of the operator’s own may be replaced. */
const ownFreshS = 3_600
/** A tile that could not be had is asked for again soon. */
const greyFreshS = 60

export const tileOutcomes = ['kept', 'fetched', 'own', 'missing', 'failed', 'resting'] as const
type TileOutcome = (typeof tileOutcomes)[number]

interface Deps {
  readonly db: Database
  readonly logger: Logger
  readonly secrets: SecretBox
  readonly outgoingCalls: Pick<OutgoingCalls, 'request'>
  readonly cache: TileCache
  readonly archives: Pick<TileArchives, 'read'>
  readonly gate: Pick<FetchGate, 'pass'>
  readonly now: () => number
}

/** Why a tile could not be had. */
class TileFailed extends Error {
  readonly fault: TileFault
  readonly status: number | null

  constructor(fault: TileFault, status: number | null = null) {
    super(status === null ? fault : `${fault} ${status}`)
    this.fault = fault
    this.status = status
  }
}

interface Health {
  failures: number
  restsUntil: number
  notedAt: number
}

/** Answers tiles: from the disk, from a file of the operator’s, or from the source’s maker, each once at a time. */
export class TileServer {
  readonly outcomes = new Map<TileOutcome, number>(tileOutcomes.map((outcome) => [outcome, 0]))
  readonly #deps: Deps
  readonly #fetching = new Map<string, Promise<FileAnswer>>()
  /** By the version of the source, so that a changed one is asked at once. */
  readonly #health = new Map<string, Health>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The tile, or a grey one where there is none; `userId` is who asks. */
  async answer(source: StoredTileSource, place: TilePlace, userId: number): Promise<FileAnswer> {
    if (source.kind === 'pmtiles') return this.#readOwn(source, place)
    const { version } = source
    const kept = source.isCached ? await this.#deps.cache.find({ version, ...place }) : undefined
    const picture = kept && present(kept, keptFreshS)
    if (picture) return this.#count('kept', picture)
    const key = `${version} ${place.z} ${place.x} ${place.y}`
    const running = this.#fetching.get(key)
    if (running) return running
    const fetching = this.#fetch(source, place, userId).finally(() => this.#fetching.delete(key))
    this.#fetching.set(key, fetching)
    return fetching
  }

  async #readOwn(source: StoredTileSource, place: TilePlace): Promise<FileAnswer> {
    try {
      const content = await this.#deps.archives.read(source.url, place)
      if (!content) return this.#count('missing', grey())
      return this.#count('own', requirePicture(content, ownFreshS))
    } catch (error) {
      if (error instanceof ArchiveUnfit) return this.#fail(source, new TileFailed('file'))
      if (error instanceof TileFailed) return this.#fail(source, error)
      throw error
    }
  }

  async #fetch(source: StoredTileSource, place: TilePlace, userId: number): Promise<FileAnswer> {
    return this.#deps.gate.pass(userId, async () => {
      // Those that waited for their turn see that others failed.
      if (this.#healthOf(source).restsUntil > this.#deps.now()) return this.#count('resting', grey())
      try {
        const content = await this.#request(source, place)
        const tile = requirePicture(content, source.isCached ? keptFreshS : undefined)
        this.#health.delete(source.version)
        if (source.isCached) await this.#deps.cache.keep({ version: source.version, ...place }, content)
        return this.#count('fetched', tile)
      } catch (error) {
        if (error instanceof TileFailed) return this.#fail(source, error)
        throw error
      }
    })
  }

  async #request(source: StoredTileSource, place: TilePlace): Promise<Buffer> {
    const key = openKey(this.#deps.secrets, source)
    if (key === undefined) throw new TileFailed('key')
    try {
      const { status, body, cut } = await this.#deps.outgoingCalls.request({
        method: 'GET',
        to: addressOf(source.url, place, key),
        headers: { accept: 'image/png,image/jpeg,image/webp', 'user-agent': `Busbar/${productVersion}` },
        space: 'operator',
        deadlineMs: fetchMs,
        answerBytesMax: tileLimits.tileBytesMax,
        redirectsMax,
      })
      if (status !== 200) throw new TileFailed('status', status)
      if (cut) throw new TileFailed(cut)
      return body
    } catch (error) {
      // Its details may repeat the address, in which the key is.
      if (error instanceof OutgoingError) throw new TileFailed(error.code)
      throw error
    }
  }

  async #fail(source: StoredTileSource, { fault, status }: TileFailed): Promise<FileAnswer> {
    const now = this.#deps.now()
    const health = this.#healthOf(source)
    this.#health.set(source.version, health)
    // A source that answers at all is well: it has no picture of this place.
    if (fault !== 'status' || (status ?? 0) >= 500) health.failures++
    if (health.failures >= failuresMax) {
      health.failures = 0
      health.restsUntil = now + restMs
    }
    if (now - health.notedAt >= noteEveryMs) {
      health.notedAt = now
      this.#deps.logger.warn({ tileSourceId: source.id, fault, status }, 'tileSource.failed')
      await setFailure(this.#deps.db, source, { fault, status }, new Date(now))
    }
    return this.#count('failed', grey())
  }

  #healthOf({ version }: StoredTileSource): Health {
    return this.#health.get(version) ?? { failures: 0, restsUntil: 0, notedAt: Number.NEGATIVE_INFINITY }
  }

  #count(outcome: TileOutcome, answer: FileAnswer): FileAnswer {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
    return answer
  }
}

/** A picture by its first bytes; undefined for anything else, and for one that is too large to be a tile. */
function present(content: Buffer, freshS: number | undefined): FileAnswer | undefined {
  const raster = readRaster(content)
  if (!raster?.size || Math.max(raster.size.width, raster.size.height) > pixelsMax) return undefined
  return {
    name: `tile.${raster.kind}`,
    mediaType: pictureTypes[raster.kind],
    bytes: content.length,
    tag: createHash('sha1').update(content).digest('base64url'),
    freshS,
    open: async function* (from, to) {
      yield content.subarray(from, to + 1)
    },
  }
}

function requirePicture(content: Buffer, freshS: number | undefined): FileAnswer {
  if (content.length > tileLimits.tileBytesMax) throw new TileFailed('answerTooLarge')
  const picture = present(content, freshS)
  if (!picture) throw new TileFailed('notPicture')
  return picture
}

function grey(): FileAnswer {
  return requirePicture(greyTile, greyFreshS)
}
