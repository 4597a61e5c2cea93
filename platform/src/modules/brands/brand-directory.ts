import type { Config } from '../../config.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Brand } from '../../kernel/http/brand.ts'
import type { Logger } from '../../kernel/logger.ts'
import { type BrandSite, mainBrandId } from './brand.ts'
import { areApart, type ConsoleAndVisits } from './brand-hosts.ts'
import { type Db, listBrands } from './brands-store.ts'

interface Deps {
  readonly db: Db
  readonly facts: Pick<Facts, 'follow' | 'record' | 'catchUp'>
  readonly logger: Logger
  readonly config: Config
}

const catchUpMsMax = 1_000

/** Names a person has for the machine they sit at: the main brand. */
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Every brand, in memory: each request needs the brand of its host. */
export class BrandDirectory {
  readonly #deps: Deps
  #byId = new Map<number, Brand>()
  #byHost = new Map<string, Brand>()
  #default: Brand
  #sites: readonly BrandSite[] = []
  #refreshing: Promise<void> = Promise.resolve()

  private constructor(deps: Deps, brands: readonly Brand[], main: Brand) {
    this.#deps = deps
    this.#default = main
    this.#keep(brands)
    deps.facts.follow({
      mode: 'live',
      name: 'brands.directory',
      kinds: ['brand.changed'],
      follow: () => this.#refresh(),
    })
  }

  /** Reads the brands of a migrated database. */
  static async open(deps: Deps): Promise<BrandDirectory> {
    const brands = await listBrands(deps.db)
    const main = brands.find((brand) => brand.id === mainBrandId)
    if (!main) throw new Error('The database has no main brand.')
    return new BrandDirectory(deps, brands, main)
  }

  /**
   * The brand of a Host header, with or without a port; the default one for an unknown host (rules/brands.md: brand of
   * a host).
   */
  find(hostHeader: string | undefined): Brand {
    const host = toHostName(hostHeader)
    const own = this.#byHost.get(host)
    if (own) return own
    return localHosts.has(host) ? this.get(mainBrandId) : this.#default
  }

  /** True where a brand in use has been given this host by name. */
  hasHost(hostHeader: string | undefined): boolean {
    return this.#byHost.has(toHostName(hostHeader))
  }

  /** A brand by id; the default one for an unknown or archived one. */
  get(id: number): Brand {
    const brand = this.#byId.get(id)
    return brand && !brand.archivedAt ? brand : this.#default
  }

  /** Every brand, the archived ones too, the main one first. */
  list(): readonly Brand[] {
    return [...this.#byId.values()]
  }

  /** Where the brands' consoles and visits are; another array after a change. */
  get sites(): readonly BrandSite[] {
    return this.#sites
  }

  /** Whether a brand's consoles and visits stay apart from one another's and from those of the brands but `id`. */
  areApart(brand: ConsoleAndVisits, id?: number): boolean {
    const others = this.list().filter((other) => other.id !== id)
    return areApart(brand, others, this.#deps.config)
  }

  /** Records in the caller's transaction that a brand changed: every process reads the brands after the commit. */
  recordChange(trx: Db, brandId: number, now: number): Promise<void> {
    return this.#deps.facts.record(trx, { kind: 'brand.changed', brandId, at: now })
  }

  /** Resolves once this process has read the changes it committed. */
  async catchUp(): Promise<void> {
    if (await this.#deps.facts.catchUp(catchUpMsMax)) await this.#refreshing
    else await this.#refresh()
  }

  /** One after the other, so that an older answer never replaces a newer one. */
  #refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.then(async () => {
      try {
        this.#keep(await listBrands(this.#deps.db))
      } catch (error) {
        this.#deps.logger.warn({ err: error }, 'brands.readFailed')
      }
    })
    return this.#refreshing
  }

  #keep(brands: readonly Brand[]): void {
    this.#byId = new Map(brands.map((brand) => [brand.id, brand]))
    const used = brands.filter(({ archivedAt }) => archivedAt === null)
    this.#byHost = new Map(used.flatMap((brand) => brand.hosts.map((host) => [host, brand])))
    this.#default = brands.find((brand) => brand.isDefault) ?? this.#default
    // Browsers still hold data that machines' pages stored under a visit domain, so the console never gets that host.
    this.#sites = brands.map(({ visitDomain, hosts, archivedAt }) => ({
      visitDomain,
      consoleHosts: archivedAt ? [] : hosts,
    }))
  }
}

function toHostName(hostHeader: string | undefined): string {
  return (hostHeader ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
