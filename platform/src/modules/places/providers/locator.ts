import { type Lang, metresBetween } from '@busbar/contract'
import type { Kernel } from '../../../kernel/kernel.ts'
import { ProviderFailed, type ProviderFault } from '../../../kernel/outgoing-http/ask-json.ts'
import { cleanText } from '../../../kernel/storable-text.ts'
import type { Point } from '../coordinates.ts'
import type { NamedPlace } from '../gazetteer/gazetteer.ts'
import type { AddressProvider } from './address-provider.ts'
import { openEmbedded } from './embedded.ts'
import { openProviders } from './open-providers.ts'
import type { Position, PositionProvider, Signals } from './position-provider.ts'
import { ProviderChain } from './provider-chain.ts'

/** Farther than this from every place that is known of it, a machine is not believed to be. */
const farMetres = 3_000_000

/** Of a name or an address; nobody writes a longer one. */
const textUnitsMax = 200
/** A provider's text as it can be stored and shown. */
const clean = (text: string): string => cleanText(text.slice(0, textUnitsMax)).trim()

/** The signals, the most exact first. */
export const signalKinds = ['wifi', 'cells', 'ip'] as const
export type SignalKind = (typeof signalKinds)[number]

interface Located {
  readonly position?: Position
  /** Why the last provider that failed did so. */
  readonly fault?: ProviderFault
}

/** Where machines and addresses are: the operator’s providers, then what ships with the platform. */
export class Locator {
  readonly #addresses: ProviderChain<AddressProvider>
  readonly #positions: ProviderChain<PositionProvider>
  readonly #embedded = openEmbedded()

  constructor({
    config,
    rateCounters,
    logger,
    now,
  }: Pick<Kernel, 'config' | 'rateCounters' | 'logger' | 'now'>) {
    const { addresses, positions } = openProviders(config)
    const deps = { counters: rateCounters, logger, now, callsPerDayMax: config.PLACE_CALLS_PER_DAY_MAX }
    this.#addresses = new ProviderChain(addresses, this.#embedded, deps)
    this.#positions = new ProviderChain(positions, this.#embedded, deps)
  }

  async searchAddress(text: string, lang: Lang): Promise<readonly NamedPlace[]> {
    const found = await this.#addresses.ask(
      (provider) => provider.search(text, lang),
      (places) => places.length > 0,
    )
    return found.map((place) => ({ ...place, name: clean(place.name), address: clean(place.address) }))
  }

  /** The address in both languages; the providers speak Chinese alone, so the English one is the city’s. */
  async addressesOf(point: Point): Promise<{ cn: string | undefined; en: string | undefined }> {
    const cn = await this.#addresses.ask(
      (provider) => provider.nameOf(point, 'cn'),
      (name) => name !== undefined,
    )
    return { cn: cn && clean(cn), en: await this.cityOf(point, 'en') }
  }

  /** The city of a place, which asks nobody. */
  cityOf(point: Point, lang: Lang): Promise<string | undefined> {
    return this.#embedded.nameOf(point, lang)
  }

  /** Whether anybody takes these signals, though they may not know them. */
  canLocate(signals: Signals): boolean {
    return this.#positions.some((provider) => provider.canLocate(signals))
  }

  /**
   * Where a machine is by the first kind of signal that tells it. Neither a position nor a fault: nobody can tell.
   * @param recent - the places where it was last, with which a position must agree.
   */
  async locate(signals: Signals, kinds: readonly SignalKind[], recent: readonly Point[]): Promise<Located> {
    let fault: ProviderFault | undefined
    const onFailed = (failure: ProviderFailed) => {
      fault = failure.reason
    }
    for (const kind of kinds) {
      const position = await this.#locateBy(
        { device: signals.device, [kind]: signals[kind] },
        recent,
        onFailed,
      )
      if (position) return { position }
    }
    return fault ? { fault } : {}
  }

  async #locateBy(
    signals: Signals,
    recent: readonly Point[],
    onFailed: (failure: ProviderFailed) => void,
  ): Promise<Position | undefined> {
    const canAnswer = (provider: PositionProvider) => provider.canLocate(signals)
    try {
      return await this.#positions.ask(
        async (provider) => refuseFar(await provider.locate(signals), recent),
        (position) => position !== undefined,
        { canAnswer, onFailed },
      )
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error
      onFailed(error)
      return
    }
  }
}

function refuseFar(position: Position | undefined, recent: readonly Point[]): Position | undefined {
  const isFar =
    position !== undefined &&
    recent.length > 0 &&
    recent.every((place) => metresBetween(place, position) > farMetres)
  if (isFar) throw new ProviderFailed('farAway', 'a position on another continent')
  return position
}
