import { isIP } from 'node:net'
import { isTargetName, tunnelTarget } from '@busbar/link'
import {
  type Config,
  hasVisitHost,
  isHttps,
  isLocalName,
  isSameSite,
  readVisitHost,
  sharesConsoleSite,
} from '../../config.ts'
import { visitPortPath } from '../../kernel/http/upgrades.ts'
import type { BrandSite } from '../brands/index.ts'
import { addFrom, consoleIdOf } from './console-id.ts'

/** Which page of which machine a visit host is. */
export interface VisitName {
  /** The host's name as cookies and codes are bound to it: lower case, without a port. */
  readonly host: string
  readonly code: string
  readonly target: string
}

/** Where machines' pages are: `{code}.{VISIT_HOST}`, and `{target}--{code}.{VISIT_HOST}` for another page than the agent's. */
export interface VisitAddress {
  /** This deployment offers no visits: VISIT_HOST is not set beside a public PUBLIC_URL. */
  readonly isOff: boolean
  /** A console is on the same registrable domain: clearing cookies for one clears them for both. */
  readonly sharesConsoleSite: boolean
  /** Whether the console opened under this Host header can enter machines: never by a bare address. */
  offersVisits(consoleHost: string): boolean
  /**
   * The origin of the console with this id, where `/visit/authorize` is. Without an id, or with one that no brand's host
   * has: the first host of the brand whose visit domain it is, else PUBLIC_URL.
   */
  consoleOrigin(visitHost?: string, from?: string): string
  /** The id that leads back to the console with this Host header; undefined if there is only one console. */
  fromOf(consoleHost: string): string | undefined
  /** The visit host of a machine's page, without a port, for a console with this Host header. */
  hostOf(code: string, target: string, consoleHost?: string): string
  /** The visit host of another page of the same machine, in the same domain. */
  siblingOf(page: VisitName, target: string): string
  /** The address of a visit host, ending in a slash. */
  urlOf(host: string): string
  /** The address of a machine's page for a person on this console; it leads back to the same console. */
  entryUrl(page: { code: string; target: string; path?: string }, consoleHost: string): string
  /** The address of the WebSockets to machines' ports, on the console with this Host header. */
  portsUrl(consoleHost: string): string
  /** The `Origin` that a browser sends on that host. */
  originOf(host: string): string
  /** Whether a Host header is in the visit domain, well formed or not: such a request never reaches the console. */
  owns(hostHeader: string | undefined): boolean
  /** The page a Host header names; undefined for anything that is not exactly one. */
  parseHost(hostHeader: string | undefined): VisitName | undefined
}

const codePattern = /^\d{19}$/
const hostPattern = /^([a-z0-9.-]+)(?::\d{1,5})?$/
/** The platform's own requests go to this target: no visitor's ever do. */
const isVisitTarget = (name: string): boolean => isTargetName(name) && name !== tunnelTarget.agent

/** `webPort` answers the port that is listened on, known once the platform listens; `brandSites` the brands as they are now. */
export function createVisitAddress(
  config: Config,
  webPort: () => number,
  brandSites: () => readonly BrandSite[] = () => [],
): VisitAddress {
  const isOff = !hasVisitHost(config)
  const { domain, port } = readVisitHost(config)
  const scheme = isHttps(config) ? 'https' : 'http'
  const usualPort = scheme === 'https' ? '443' : '80'
  const publicUrl = config.PUBLIC_URL ? new URL(config.PUBLIC_URL) : undefined

  const consolePort = () => (publicUrl ? publicUrl.port : String(webPort()))
  const originAt = (host: string, at: string) =>
    `${scheme}://${host}${at === '' || at === usualPort ? '' : `:${at}`}`
  const siteOf = (host: string) =>
    brandSites().find(
      ({ visitDomain }) => visitDomain && (host === visitDomain || host.endsWith(`.${visitDomain}`)),
    )
  const originOf = (host: string) => originAt(host, siteOf(host) ? consolePort() : (port ?? consolePort()))
  const siteOfConsole = (consoleHost: string) =>
    brandSites().find(({ consoleHosts }) => consoleHosts.includes(toHostName(consoleHost)))
  const mainOrigin = () => publicUrl?.origin ?? originAt('localhost', String(webPort()))
  const hostOf = (code: string, target: string, consoleHost = '') =>
    `${formatLabel(code, target)}.${siteOfConsole(consoleHost)?.visitDomain || domain}`
  const urlOf = (host: string) => `${originOf(host)}/`

  /** The hosts of all consoles by their ids; made anew when the brands are. */
  const hostsById = keepOf(brandSites, (sites) => {
    const hosts = sites.flatMap(({ consoleHosts }) => consoleHosts)
    return new Map(hosts.map((host) => [consoleIdOf(host), host]))
  })

  function fromOf(consoleHost: string): string | undefined {
    if (hostsById().size === 0) return undefined
    // The main console is named as well: the visit host may remember another one.
    return consoleIdOf(siteOfConsole(consoleHost) ? toHostName(consoleHost) : new URL(mainOrigin()).hostname)
  }

  function parseHost(hostHeader: string | undefined): VisitName | undefined {
    const host = isOff ? undefined : hostPattern.exec(hostHeader?.toLowerCase() ?? '')?.[1]
    const within = host && (siteOf(host)?.visitDomain ?? domain)
    if (!host?.endsWith(`.${within}`)) return undefined
    const name = host.slice(0, -`.${within}`.length)
    const dashes = name.lastIndexOf('--')
    const code = dashes === -1 ? name : name.slice(dashes + 2)
    const target = dashes === -1 ? tunnelTarget.page : name.slice(0, dashes)
    if (!codePattern.test(code) || !isVisitTarget(target)) return undefined
    // A page has exactly one name: under another one its stored data would be a second copy.
    return host === `${formatLabel(code, target)}.${within}` ? { host, code, target } : undefined
  }

  return {
    isOff,
    get sharesConsoleSite() {
      const sites = brandSites()
      const domains = [domain, ...sites.map(({ visitDomain }) => visitDomain).filter(Boolean)]
      const hosts = sites.flatMap(({ consoleHosts }) => consoleHosts)
      return sharesConsoleSite(config) || hosts.some((host) => domains.some((one) => isSameSite(host, one)))
    },
    offersVisits(consoleHost) {
      if (isOff) return false
      if (siteOfConsole(consoleHost)?.visitDomain) return true
      const name = URL.parse(`http://${consoleHost}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
      if (isLocalName(name)) return true
      // `*.visit.localhost` would lead a browser elsewhere to itself.
      return isIP(name) === 0 && !isLocalName(domain)
    },
    consoleOrigin(visitHost = '', from = '') {
      const own = hostsById().get(from) ?? siteOf(toHostName(visitHost))?.consoleHosts[0]
      return own ? originAt(own, consolePort()) : mainOrigin()
    },
    fromOf,
    hostOf,
    siblingOf: ({ host, code }, target) => `${formatLabel(code, target)}${host.slice(host.indexOf('.'))}`,
    urlOf,
    entryUrl({ code, target, path = '/' }, consoleHost) {
      const url = `${urlOf(hostOf(code, target, consoleHost))}${path.slice(1)}`
      return addFrom(url, fromOf(consoleHost))
    },
    portsUrl(consoleHost) {
      const url = URL.parse(`${scheme}://${consoleHost}`) ?? new URL(mainOrigin())
      return `${url.origin.replace(/^http/, 'ws')}${visitPortPath}`
    },
    originOf,
    owns(hostHeader) {
      const name = toHostName(hostHeader)
      return name === domain || name.endsWith(`.${domain}`) || siteOf(name) !== undefined
    },
    parseHost,
  }
}

/** The part before the visit domain. */
function formatLabel(code: string, target: string): string {
  return `${target === tunnelTarget.page ? '' : `${target}--`}${code}`
}

function toHostName(hostHeader: string | undefined): string {
  return (hostHeader ?? '')
    .toLowerCase()
    .replace(/:[^:]*$/, '')
    .replace(/\.+$/, '')
}

/** Keeps a derived value until its source changes. */
function keepOf<Source, Made>(read: () => Source, make: (source: Source) => Made): () => Made {
  let kept: { source: Source; made: Made } | undefined
  return () => {
    const source = read()
    if (kept?.source !== source) kept = { source, made: make(source) }
    return kept.made
  }
}
