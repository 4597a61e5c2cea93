import { type Config, isLocalName, isSameSite, readVisitHost } from '../../config.ts'

/** Where a brand's console is, and the machines' pages people reach from it; empty: the deployment's VISIT_HOST. */
export interface ConsoleAndVisits {
  readonly hosts: readonly string[]
  readonly visitDomain: string
}

/**
 * Whether a brand's hosts and visit domain keep every console apart from every machine's page, which is a stranger
 *: no console within a visit domain, no visit domain within another, and never both on one registrable
 * domain, unless the deployment answers for that.
 */
export function areApart(
  brand: ConsoleAndVisits,
  others: readonly ConsoleAndVisits[],
  config: Config,
): boolean {
  // Visitors return to the brand's own console.
  if (brand.visitDomain && brand.hosts.length === 0) return false
  const publicHosts = config.PUBLIC_URL ? [new URL(config.PUBLIC_URL).hostname] : []
  const known = [...others, { hosts: publicHosts, visitDomain: readVisitHost(config).domain }]
  const knownDomains = known.map(({ visitDomain }) => visitDomain).filter(Boolean)
  const ownDomains = brand.visitDomain ? [brand.visitDomain] : []
  const overlap = ownDomains.some((own) =>
    knownDomains.some((other) => isWithin(own, other) || isWithin(other, own)),
  )
  if (overlap) return false
  const isFit = (host: string, domain: string) =>
    !isWithin(host, domain) &&
    (isLocalName(host) || config.ALLOW_SAME_SITE_VISITS || !isSameSite(host, domain))
  const knownHosts = known.flatMap(({ hosts }) => hosts)
  return (
    brand.hosts.every((host) => [...ownDomains, ...knownDomains].every((domain) => isFit(host, domain))) &&
    knownHosts.every((host) => ownDomains.every((domain) => isFit(host, domain)))
  )
}

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
